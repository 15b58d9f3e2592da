/** Emails about gift cards. */
import { momentText, weekdayText } from '#contract/calendar.ts';
import { giftCardCodeText } from '#contract/gift-card-forms.ts';
import type { EmailOf } from '#contract/emails.ts';
import {
  AmountsTable,
  EmailButton,
  EmailCode,
  EmailNote,
  LabelValueTable,
  MailLink,
  Paragraph,
  Quote,
  Subheading,
  TextLink,
} from './email-layout.tsx';
import type { EmailDraft } from './email-layout.tsx';
import { formatEmailAmount, formatGreeting } from './email-text.ts';

const formatGiftCardValue = ({ isForFrame, amountCents }: { isForFrame: boolean; amountCents: number }) =>
  isForFrame ? `a Kinframe (${formatEmailAmount(amountCents)})` : formatEmailAmount(amountCents);

export function composeGiftCardEmail(content: EmailOf<'gift-card'>): EmailDraft {
  const { shop, giftCardCode, recipientName, senderName, message, productUrl, balanceUrl } = content;
  return {
    subject: `A gift card from ${senderName}`,
    preview: `It’s worth ${formatGiftCardValue(content)}. Your code is inside.`,
    title: `${senderName} sent you a gift card`,
    picture: 'gift',
    body: (
      <>
        <Paragraph>{formatGreeting(recipientName)}</Paragraph>
        <Paragraph>
          {`${senderName} sent you a ${shop.name} gift card worth ${formatGiftCardValue(content)}. Choose a few of your favorite photos, and we’ll make them move on a picture frame.`}
        </Paragraph>
        {message && <Quote>{message}</Quote>}
        <Subheading>Your code</Subheading>
        <EmailCode>{giftCardCodeText(giftCardCode)}</EmailCode>
        <EmailButton href={productUrl}>Choose your Kinframe</EmailButton>
        <Paragraph>
          Enter the code at checkout under “Gift card”. You can use it in parts, and it never expires. Keep it secret:
          anyone who has the code can use the card.
        </Paragraph>
        <Paragraph>
          <TextLink href={balanceUrl}>Check your balance</TextLink>
        </Paragraph>
      </>
    ),
  };
}

export function composeGiftCardReceiptEmail(content: EmailOf<'gift-card-receipt'>): EmailDraft {
  const { number, amountCents, isForFrame, recipientName, senderName, boughtAt, deliverOn, cardUrl } = content;
  const label = isForFrame ? 'Gift card for a Kinframe' : 'Gift card';
  return {
    subject: `Your gift card for ${recipientName} (${number})`,
    preview: `Thank you! We’ve received ${formatEmailAmount(amountCents)}.`,
    overline: `Gift card ${number}`,
    title: 'Thank you for your gift',
    picture: 'gift',
    body: (
      <>
        <Paragraph>{formatGreeting(senderName)}</Paragraph>
        <Paragraph>
          {deliverOn
            ? `We have your payment of ${formatEmailAmount(amountCents)}. We email the gift card to ${recipientName} on ${weekdayText(deliverOn)}. Only that email contains the code.`
            : `We have your payment of ${formatEmailAmount(amountCents)}. Print the gift card whenever you like. Each PDF has its own code. All codes use the same balance.`}
        </Paragraph>
        <EmailButton href={cardUrl}>{deliverOn ? 'See your gift card' : 'Print the gift card'}</EmailButton>
        <Subheading>Your receipt</Subheading>
        <EmailNote>{`Bought ${momentText(boughtAt)}`}</EmailNote>
        <AmountsTable
          lines={[{ label, quantity: 1, amountCents }]}
          subtotalCents={amountCents}
          taxCents={0}
          totalCents={amountCents}
        />
        <EmailNote>The card never expires. Sales tax, if any, is added when it is used.</EmailNote>
      </>
    ),
  };
}

export function composeOwnerGiftCardEmail(content: EmailOf<'owner-gift-card'>): EmailDraft {
  const { number, recipientName, deliverOn, customerName, customerEmail, adminUrl } = content;
  return {
    isToOwner: true,
    subject: `Gift card sold: ${formatGiftCardValue(content)}`,
    preview: `${customerName} bought a gift card for ${recipientName}.`,
    title: 'You sold a gift card',
    body: (
      <>
        <LabelValueTable
          facts={{
            'Gift card': number,
            Worth: formatGiftCardValue(content),
            For: recipientName,
            Delivery: deliverOn ? `By email on ${weekdayText(deliverOn)}` : 'The buyer prints it',
            Buyer: customerName,
            Email: customerEmail && <MailLink address={customerEmail} />,
          }}
        />
        <Paragraph>It counts as revenue when it is used. Until then you owe it.</Paragraph>
        <EmailButton href={adminUrl}>See gift cards</EmailButton>
      </>
    ),
  };
}
