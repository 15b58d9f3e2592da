import { useQuery } from '@tanstack/react-query';
import { LifeBuoy, Mail, MailCheck, StickyNote } from 'lucide-react';
import { shortMomentText } from '#contract/calendar.ts';
import type { AdminTicket } from '#contract/owner/tickets.ts';
import { countText } from '#contract/count-text.ts';
import { query } from '../../data/api.ts';
import { Skeleton } from '../../ui/surfaces.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { List } from '../list/list.tsx';
import { listQueryOf, createDownloadUrls, listPageOptions } from '../list/list-query.ts';
import type { AdminSearch, OnSearch } from '../search.ts';
import { TicketDialog } from './ticket-dialog.tsx';
import { TicketBadges } from './ticket-marks.tsx';

const states = [
  {
    value: 'open',
    label: 'Open',
    title: 'No open tickets',
    words: 'Questions from the support page or the contact form show up here.',
  },
  {
    value: 'completed',
    label: 'Completed',
    title: 'No completed tickets',
    words: 'Tickets move here once you mark them as completed.',
  },
] as const;
const sorts = [
  { value: '-date', label: 'Newest first' },
  { value: 'date', label: 'Oldest first' },
] as const;
type State = (typeof states)[number];

/** Support Tickets: the open or the completed tickets. A ticket opens in a dialog. */
export function TicketsTab({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const { filter = 'open', ticket } = search;
  return (
    <>
      <Tabs
        label="Tickets"
        look="inner"
        value={filter}
        onChange={(next) => onSearch({ filter: next, after: undefined })}
        tabs={states.map((state) => ({
          value: state.value,
          label: state.label,
          content: <Tickets state={state} search={{ ...search, filter: state.value }} onSearch={onSearch} />,
        }))}
      />
      {ticket !== undefined && (
        <TicketDialog key={ticket} id={ticket} onClose={() => onSearch({ ticket: undefined })} />
      )}
    </>
  );
}

function Tickets({ state, search, onSearch }: { state: State; search: AdminSearch; onSearch: OnSearch }) {
  const page = useQuery({
    ...query('/api/admin/lists/support-tickets', { query: { ...listQueryOf(search), limit: 30 } }),
    ...listPageOptions,
  });
  return (
    <List
      nouns={['ticket', 'tickets']}
      page={page}
      // The list must not treat the selected tab as a filter that the user set.
      search={{ ...search, filter: undefined }}
      onSearch={({ filter: _, ...change }, options) => onSearch(change, options)}
      searchLabel="Search number, name, email or subject"
      sorts={sorts}
      hasHeadings={false}
      downloads={createDownloadUrls('support-tickets', search)}
      notLoaded="Failed to fetch tickets"
      empty={{ icon: LifeBuoy, title: state.title, words: state.words }}
      skeleton={<Skeleton className="h-64 rounded-lg" />}
    >
      {(rows) => (
        <ul className="grid gap-3 lg:grid-cols-2 2xl:grid-cols-3">
          {rows.map((it) => (
            <li key={it.id} className="min-w-0">
              <TicketCard ticket={it} onOpen={() => onSearch({ ticket: it.id })} />
            </li>
          ))}
        </ul>
      )}
    </List>
  );
}

function TicketCard({ ticket, onOpen }: { ticket: AdminTicket; onOpen: () => void }) {
  const { answers, messages, adminNotes } = ticket;
  const lastMessage = messages.at(-1);
  const isAnswered = lastMessage !== undefined && (answers.at(-1)?.answeredAt ?? '') > lastMessage.receivedAt;
  return (
    <article className="relative flex h-full flex-col gap-2 rounded-lg border border-hair bg-card p-4 transition-colors focus-within:border-ink hover:border-ink">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm text-muted">
        <span className="tabular-nums">{ticket.ticketNumber}</span>
        <time dateTime={ticket.createdAt}>{shortMomentText(ticket.createdAt)}</time>
      </header>
      <h2 className="font-sans text-base font-semibold tracking-normal [overflow-wrap:anywhere]">
        <button
          type="button"
          onClick={onOpen}
          // The pseudo-element makes the whole card clickable.
          className="text-left after:absolute after:inset-0 after:rounded-lg after:content-['']"
        >
          {ticket.subject || 'Deleted account'}
        </button>
      </h2>
      <p className="text-[0.9375rem] break-words text-muted">
        {ticket.customerName}
        {ticket.customerEmail && ` · ${ticket.customerEmail}`}
      </p>
      <p className="line-clamp-3 text-[0.9375rem] break-words">
        {ticket.kind === 'owner' ? answers[0]?.words : ticket.message}
      </p>
      <TicketBadges ticket={ticket} />
      {(answers.length > 0 || messages.length > 0 || adminNotes) && (
        <p className="mt-auto flex flex-wrap gap-x-4 gap-y-1 pt-1 text-sm text-muted">
          {answers.length > 0 && (
            <span className="inline-flex items-center gap-1.5">
              <MailCheck aria-hidden className="size-4.5" />
              {countText(answers.length, 'answer')} sent
            </span>
          )}
          {lastMessage && !isAnswered && (
            <span className="inline-flex items-center gap-1.5 text-ink">
              <Mail aria-hidden className="size-4.5" />
              New email
            </span>
          )}
          {adminNotes && (
            <span className="inline-flex min-w-0 items-center gap-1.5">
              <StickyNote aria-hidden className="size-4.5 shrink-0" />
              <span className="line-clamp-1 break-all">{adminNotes}</span>
            </span>
          )}
        </p>
      )}
    </article>
  );
}
