import { CircleCheck, RotateCcw } from 'lucide-react';
import { lazy, useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { AdminTicket } from '#contract/owner/tickets.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { LazyBoundary, MissingPart } from '../../ui/lazy-boundary.tsx';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { LoadErrorNotice } from '../not-loaded.tsx';
import { useMayUseArea } from '../session.ts';
import { useNotes } from '../use-notes.tsx';
import { Conversation } from './conversation.tsx';
import { TicketBadges } from './ticket-marks.tsx';
import { useEditTicket, useTicket } from './use-ticket.ts';

const AnswerTicket = lazy(() => import('./answer-ticket.tsx').then((it) => ({ default: it.AnswerTicket })));

/** All details of one ticket: the question and the answers, the owner's notes, and the actions. */
export function TicketDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: ticket, error, refetch } = useTicket(id);
  const editTicket = useEditTicket(id);
  const notes = useNotes({ stored: ticket?.adminNotes, saveNotes: editTicket, refetch });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="wide"
      title={ticket ? ticket.subject || 'Deleted account' : 'Ticket'}
      {...(ticket && { description: `${ticket.ticketNumber} · ${shortMomentText(ticket.createdAt)}` })}
    >
      {!ticket && !error && <Skeleton className="mt-5 h-72 rounded-lg" />}
      {!ticket && error && (
        <LoadErrorNotice
          title="We couldn’t load that ticket"
          notFoundTitle="We couldn’t find this ticket"
          error={error}
          onRetry={refetch}
          className="mt-5"
        />
      )}
      {ticket && (
        <div className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div className="space-y-6">
            <Conversation ticket={ticket} />
            <LazyBoundary waiting={<Skeleton className="h-72 rounded-lg" />} instead={<MissingPart inPlace />}>
              <AnswerTicket ticket={ticket} />
            </LazyBoundary>
          </div>
          <div className="space-y-5 md:border-l md:border-hair md:pl-8">
            <TicketBadges ticket={ticket} />
            {ticket.related && <RelatedTicket {...ticket.related} />}
            <CustomerDetails ticket={ticket} />
            <Field
              label="Admin notes"
              hint={
                <span role="status">
                  {notes.isUnsaved
                    ? 'Not saved yet'
                    : notes.isSaved
                      ? 'Saved. Only you see them.'
                      : 'Only you see them. We save them when you leave the field.'}
                </span>
              }
              optional
            >
              {(tied) => <TextArea {...tied} {...notes.field} rows={5} maxLength={5000} />}
            </Field>
            <SetStatus status={ticket.status} edit={editTicket} />
          </div>
        </div>
      )}
      {notes.questions}
    </Dialog>
  );
}

/** A warning that the email came to another ticket's reply address, but not from its customer. */
const RelatedTicket = ({ id, ticketNumber }: NonNullable<AdminTicket['related']>) => (
  <p role="note" className="rounded-lg bg-linen p-3 text-[0.9375rem]">
    This email was meant for{' '}
    <Link to={`/admin?tab=support&ticket=${id}`} className="link">
      {ticketNumber}
    </Link>
    , but it came from another address. Check who wrote it before you share details.
  </p>
);

function CustomerDetails({ ticket }: { ticket: AdminTicket }) {
  const mayUseArea = useMayUseArea();
  return (
    <div>
      <p className="font-semibold wrap-anywhere">{ticket.customerName}</p>
      {ticket.customerEmail && (
        <Link to={`mailto:${ticket.customerEmail}`} className="link break-all">
          {ticket.customerEmail}
        </Link>
      )}
      {ticket.phone && (
        <p className="mt-1 wrap-anywhere">
          {ticket.phone}
          <span className="text-muted">{ticket.smsConsent ? ' · OK to text' : ' · please don’t text'}</span>
        </p>
      )}
      {ticket.customerEmail && mayUseArea('orders') && (
        <p className="mt-2">
          <Link to={`/admin?tab=orders&q=${encodeURIComponent(ticket.customerEmail)}`} className="link">
            Orders with this email
          </Link>
        </p>
      )}
    </div>
  );
}

function SetStatus({ status, edit }: { status: AdminTicket['status']; edit: ReturnType<typeof useEditTicket> }) {
  const [isBusy, setIsBusy] = useState(false);
  const saveStatus = async (next: AdminTicket['status'], title: string) => {
    setIsBusy(true);
    if (await edit({ status: next })) toast({ title });
    setIsBusy(false);
  };
  return status === 'open' ? (
    <Button look="secondary" busy={isBusy} onClick={() => void saveStatus('completed', 'Ticket completed')}>
      <CircleCheck aria-hidden className="size-5" />
      Mark as Completed
    </Button>
  ) : (
    <Button look="quiet" size="small" busy={isBusy} onClick={() => void saveStatus('open', 'Ticket reopened')}>
      <RotateCcw aria-hidden className="size-4.5" />
      Reopen ticket
    </Button>
  );
}
