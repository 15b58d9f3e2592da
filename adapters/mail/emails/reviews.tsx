/** Emails about reviews. */
import type { EmailOf } from '#contract/emails.ts';
import { EmailButton, EmailNote, TextLink, Paragraph } from './email-layout.tsx';
import type { EmailDraft } from './email-layout.tsx';
import { formatGreeting, isHarmlessText } from './email-text.ts';

export function composeReviewRequestEmail(content: EmailOf<'review-request'>): EmailDraft {
  const { firstName, productName, isService, orderNumber, recipientName, reviewUrl, unsubscribeUrl } = content;
  const shownRecipient = recipientName && isHarmlessText(recipientName, 60) ? recipientName : undefined;
  return {
    subject: shownRecipient ? 'How did they like your gift?' : 'How do you like your frame?',
    preview: 'A few stars and words help the next family choose.',
    overline: `Order ${orderNumber}`,
    title: shownRecipient ? 'How did they like your gift?' : 'How do you like it?',
    picture: recipientName ? 'gift' : isService ? 'service' : 'frame',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          {shownRecipient
            ? `Everything for ${shownRecipient} arrived two weeks ago. Would you share how they like the ${productName}?`
            : `Everything you ordered arrived two weeks ago. Would you share how you like the ${productName}?`}
        </Paragraph>
        <Paragraph>
          Stars and a few sentences are enough: what you hoped for, and how it turned out. We learn as much from what
          went wrong as from what went right.
        </Paragraph>
        <EmailButton href={reviewUrl}>Write a review</EmailButton>
        <EmailNote>
          We read each review before we show it on our page, under the name you choose. We only show one of your videos
          with it if you say so. You can delete your review with the same link at any time.
        </EmailNote>
        <EmailNote>
          We only ask once. Don’t want emails like this? <TextLink href={unsubscribeUrl}>Unsubscribe</TextLink>
        </EmailNote>
      </>
    ),
  };
}
