/** Emails to people who wrote to the shop. */
import type { EmailOf } from '#contract/emails.ts';
import { EmailButton, MailLink, Quote, Paragraph } from './email-layout.tsx';
import type { EmailDraft } from './email-layout.tsx';
import { formatGreeting, isHarmlessText } from './email-text.ts';

export function composeTicketReceivedEmail(content: EmailOf<'ticket-received'>): EmailDraft {
  const { shop, name, ticketNumber, subject, canReply } = content;
  const aboutText = subject && isHarmlessText(subject, 120) ? ` about “${subject}”` : '';
  return {
    subject: `We have your message (${ticketNumber})`,
    preview: 'We typically answer within 24 hours on business days.',
    overline: `Ticket ${ticketNumber}`,
    title: 'We have your message',
    body: (
      <>
        <Paragraph>{formatGreeting(name)}</Paragraph>
        <Paragraph>{`Thank you for writing to us${aboutText}. We typically answer within 24 hours on business days.`}</Paragraph>
        <Paragraph>
          {'Your ticket number is '}
          <strong>{ticketNumber}</strong>
          {canReply ? (
            '. To add something, reply to this email.'
          ) : (
            <>
              {'. To add something, email '}
              <MailLink address={shop.supportEmail} />
              {' and include the number.'}
            </>
          )}
        </Paragraph>
      </>
    ),
  };
}

export function composeTicketAnsweredEmail(content: EmailOf<'ticket-answered'>): EmailDraft {
  const { shop, name, ticketNumber, subject, answer, supportUrl, canReply, isFirst, orderNumber, files = [] } = content;
  return {
    subject: `${isFirst ? '' : 'Our answer: '}${subject} (${ticketNumber})`,
    preview: answer.replaceAll(/\s+/g, ' ').slice(0, 120),
    overline: `Ticket ${ticketNumber}`,
    title: isFirst ? 'A message from us' : 'Our answer to you',
    body: (
      <>
        <Paragraph>{formatGreeting(name)}</Paragraph>
        <Paragraph>
          {isFirst
            ? `We’re writing to you about ${orderNumber ? `your order ${orderNumber}` : `“${subject}”`}:`
            : `You wrote to us about “${subject}”. Here is our answer:`}
        </Paragraph>
        <Quote>{answer}</Quote>
        {files.length > 0 && <Paragraph>{`Attached: ${files.map((it) => it.name).join(', ')}`}</Paragraph>}
        <Paragraph>
          {canReply ? (
            'Is something still unclear? Reply to this email.'
          ) : (
            <>
              {'Is something still unclear? Email '}
              <MailLink address={shop.supportEmail} />
              {` and include ticket ${ticketNumber}.`}
            </>
          )}
        </Paragraph>
        {supportUrl && <EmailButton href={supportUrl}>Visit our help page</EmailButton>}
      </>
    ),
  };
}
