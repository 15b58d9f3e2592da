/** Emails about returned frames. */
import type { EmailOf } from '#contract/emails.ts';
import { lifetimes } from '#contract/limits.ts';
import { EmailButton, LabelValueTable, MailLink, Paragraph, Quote } from './email-layout.tsx';
import type { EmailDraft } from './email-layout.tsx';
import { formatGreeting, joinWithAnd } from './email-text.ts';

type ReturnEmail = EmailOf<'return-news'>;

/** Title and texts by the news. `answered` is the line above the owner's text. */
const textsByNews: Record<
  ReturnEmail['what'],
  { title: string; text: (frames: string) => string; answered: string; button: string }
> = {
  requested: {
    title: 'We have your return request',
    text: (frames) =>
      `You asked to return ${frames}. Please keep the frame until you have our answer. We typically answer within 24 hours on business days.`,
    answered: '',
    button: 'See your return',
  },
  approved: {
    title: 'Your return is approved',
    text: (frames) =>
      `You can send back ${frames}. We’ll email you when the package is here. Refunds reach you within 5-10 business days after that.`,
    answered: 'What to do:',
    button: 'See your return',
  },
  declined: {
    title: 'About your return request',
    text: (frames) => `We’re sorry, we can’t take back ${frames}.`,
    answered: 'The reason:',
    button: 'See your order',
  },
  received: {
    title: 'Your return is here',
    text: (frames) =>
      `We received ${frames}. If a refund is due, it reaches you within 5-10 business days. We’ll email you when we’ve sent it.`,
    answered: '',
    button: 'See your return',
  },
  replaced: {
    title: 'We’re sending a replacement',
    text: (frames) => `We’re replacing ${frames} from your return.`,
    answered: 'From us:',
    button: 'See your order',
  },
  closed: {
    title: 'Your return has ended',
    text: (frames) => `Your return of ${frames} has ended.`,
    answered: 'From us:',
    button: 'See your order',
  },
};

export function composeReturnNewsEmail({
  firstName,
  orderNumber,
  what,
  frames,
  answer,
  hasLabel,
  orderUrl,
}: ReturnEmail): EmailDraft {
  const { title, text, answered, button } = textsByNews[what];
  return {
    subject: `${title} (order ${orderNumber})`,
    preview: text(joinWithAnd(frames)),
    overline: `Order ${orderNumber}`,
    title,
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>{text(joinWithAnd(frames))}</Paragraph>
        {answer && (
          <>
            {answered && <Paragraph>{answered}</Paragraph>}
            <Quote>{answer}</Quote>
          </>
        )}
        {hasLabel && (
          <Paragraph>
            Your shipping label is in your order. Please sign in to open it. Only you and we can see it.
          </Paragraph>
        )}
        <EmailButton href={orderUrl}>{button}</EmailButton>
      </>
    ),
  };
}

export function composeOwnerReturnEmail(content: EmailOf<'owner-return'>): EmailDraft {
  const { orderNumber, customerName, customerEmail, frames, reason, words, hasPhoto, adminUrl } = content;
  return {
    isToOwner: true,
    subject: `Return requested: order ${orderNumber}`,
    preview: `${reason}: ${joinWithAnd(frames)}`,
    title: 'A customer wants to return a frame',
    body: (
      <>
        <LabelValueTable
          facts={{
            Order: orderNumber,
            Frames: joinWithAnd(frames),
            Reason: reason,
            Photo: hasPhoto ? 'In the order' : 'None',
            Customer: customerName,
            Email: customerEmail && <MailLink address={customerEmail} />,
          }}
        />
        {words && <Quote>{words}</Quote>}
        <Paragraph>{`We promise returns within ${lifetimes.returnDays} days of delivery.`}</Paragraph>
        <EmailButton href={adminUrl}>Answer the return</EmailButton>
      </>
    ),
  };
}
