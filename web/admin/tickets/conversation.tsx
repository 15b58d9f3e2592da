import { FileDown, Paperclip } from 'lucide-react';
import { shortMomentText } from '#contract/calendar.ts';
import { limits } from '#contract/limits.ts';
import type { AdminTicket } from '#contract/owner/tickets.ts';

type Message = AdminTicket['messages'][number];

/** The question, the answers and the customer's emails, in order. */
export function Conversation({ ticket }: { ticket: AdminTicket }) {
  const { message, customerName, kind, answers, messages } = ticket;
  const conversationEntries = [
    ...answers.map((it, index) => ({
      at: it.answeredAt,
      id: it.id,
      part: <Answer {...it} isFirst={kind === 'owner' && index === 0} />,
    })),
    ...messages.map((it) => ({ at: it.receivedAt, id: it.id, part: <CustomerEmail message={it} /> })),
  ].toSorted((a, b) => a.at.localeCompare(b.at));
  // The first email of a ticket that came by email has the same text as the ticket.
  const hasQuestion = kind !== 'owner' && (kind !== 'mail' || messages.length === 0);
  return (
    <ol aria-label="Conversation" className="space-y-4">
      {hasQuestion && (
        <li>
          <p className="text-sm wrap-anywhere text-muted">{customerName} wrote</p>
          <p className={customerTextClasses}>{message || 'Deleted'}</p>
        </li>
      )}
      {conversationEntries.map(({ id, part }) => (
        <li key={id}>{part}</li>
      ))}
    </ol>
  );
}

const customerTextClasses = 'mt-1 rounded-lg bg-linen p-4 wrap-anywhere whitespace-pre-wrap';

const Answer = ({ words, answeredAt, isFirst, files }: AdminTicket['answers'][number] & { isFirst: boolean }) => (
  <div className="pl-6">
    <p className="text-sm text-muted">
      You {isFirst ? 'wrote' : 'answered'} by email, {shortMomentText(answeredAt)}
    </p>
    <p className="mt-1 rounded-lg border border-hair p-4 wrap-anywhere whitespace-pre-wrap">{words}</p>
    {files.length > 0 && <Attachments files={files} />}
  </div>
);

const problemTexts: Record<NonNullable<Message['problem']>, string> = {
  'too-large': `This email is larger than ${limits.inboundMailMegabytes} MB, so we didn’t read it. Open it in your mailbox.`,
  unreadable: 'We couldn’t read this email. Open it in your mailbox.',
};

function CustomerEmail({ message }: { message: Message }) {
  const { fromName, fromEmail, words, quoted, problem, receivedAt, files, leftOut } = message;
  const hasText = words !== '' || problem === null;
  return (
    <>
      <p className="text-sm wrap-anywhere text-muted">
        {fromName || fromEmail} wrote by email, {shortMomentText(receivedAt)}
      </p>
      {hasText && <p className={customerTextClasses}>{words || 'This email has no text.'}</p>}
      {problem && <p className="mt-2 rounded-lg border border-hair p-4 text-[0.9375rem]">{problemTexts[problem]}</p>}
      {quoted && (
        <details className="mt-2">
          <summary className="cursor-pointer text-sm text-muted">Show quoted text</summary>
          <p className="mt-1 border-l-2 border-hair pl-4 text-[0.9375rem] wrap-anywhere whitespace-pre-wrap text-muted">
            {quoted}
          </p>
        </details>
      )}
      {files.length > 0 && <Attachments files={files} />}
      {leftOut.length > 0 && (
        <p className="mt-2 text-sm wrap-anywhere text-muted">
          <Paperclip aria-hidden className="mr-1 inline size-4" />
          We didn’t keep: {leftOut.join(', ')}. Ask for a photo or a PDF instead.
        </p>
      )}
    </>
  );
}

const Attachments = ({ files }: { files: Message['files'] }) => (
  <ul aria-label="Attachments" className="mt-2 flex flex-wrap gap-3">
    {files.map(({ name, url, isPicture, sizeBytes }) => (
      <li key={url}>
        {isPicture ? (
          <a href={url} target="_blank" rel="noreferrer" className="block rounded-lg">
            <img
              src={url}
              alt={name}
              loading="lazy"
              className="h-28 max-w-48 min-w-20 rounded-lg border border-hair object-cover"
            />
          </a>
        ) : (
          <a
            href={url}
            className="inline-flex items-center gap-2 rounded-lg border border-hair px-3 py-2 text-[0.9375rem] wrap-anywhere hover:border-ink"
          >
            <FileDown aria-hidden className="size-4.5 shrink-0" />
            {name}
            <span className="text-sm whitespace-nowrap text-muted">{Math.max(1, Math.round(sizeBytes / 1024))} KB</span>
          </a>
        )}
      </li>
    ))}
  </ul>
);
