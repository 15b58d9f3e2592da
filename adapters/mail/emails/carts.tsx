/** Emails with a link that opens a filled cart. */
import { dayText } from '#contract/calendar.ts';
import type { EmailOf } from '#contract/emails.ts';
import { EmailButton, AmountsTable, EmailNote, TextLink, Paragraph } from './email-layout.tsx';
import type { EmailDraft } from './email-layout.tsx';
import { formatGreeting } from './email-text.ts';

export function composeCartReminderEmail(content: EmailOf<'cart-reminder'>): EmailDraft {
  const { firstName, isLast, isShipped, isGift, checkoutUrl, unsubscribeUrl, expiresAt } = content;
  return {
    subject: isLast ? 'Still thinking it over?' : 'We saved your cart',
    preview: isLast ? 'Your cart is still here. This is our last reminder.' : 'Everything you entered is still there.',
    title: isLast ? 'Still thinking it over?' : 'We saved your cart',
    picture: isGift ? 'gift' : isShipped ? 'frame' : 'service',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          {isLast
            ? 'Take your time. Your cart is still here if you’d like it. If something is unclear, just reply to this email, and a person will answer.'
            : 'You were at our checkout and left before paying. Maybe something came up. Your cart is still here, with everything you entered.'}
        </Paragraph>
        <EmailButton href={checkoutUrl}>Go back to your cart</EmailButton>
        <AmountsTable {...content} />
        <EmailNote>
          {`The button works on any device until ${dayText(expiresAt)}. It shows the details you entered, so please don’t forward this email.`}
        </EmailNote>
        <EmailNote>
          {isLast
            ? 'This is our last reminder about this cart. Don’t want emails like this? '
            : 'You entered this email address at our checkout. Don’t want emails like this? '}
          <TextLink href={unsubscribeUrl}>Unsubscribe</TextLink>
        </EmailNote>
      </>
    ),
  };
}

export function composePaymentLinkEmail(content: EmailOf<'payment-link'>): EmailDraft {
  const { firstName, isShipped, taxCents, payUrl, expiresAt } = content;
  return {
    subject: 'Your order is ready to pay',
    preview: 'We put your order together. All that’s left is to pay.',
    title: 'Your order is ready to pay',
    picture: isShipped ? 'frame' : 'service',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          Thank you for your order. We put everything into your cart, as we agreed. Please check it and pay with the
          button below.
        </Paragraph>
        <EmailButton href={payUrl}>Check and pay</EmailButton>
        <AmountsTable {...content} />
        {taxCents === undefined && <EmailNote>Sales tax is added at checkout, once we know your address.</EmailNote>}
        <EmailNote>
          {`The button works on any device until ${dayText(expiresAt)}, and for one payment. It shows your details, so please don’t forward this email.`}
        </EmailNote>
        <EmailNote>Something is wrong, or you didn’t order this? Just reply to this email.</EmailNote>
      </>
    ),
  };
}
