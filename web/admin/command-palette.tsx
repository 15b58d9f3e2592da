import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { ArrowRight, LifeBuoy, type LucideIcon, Package, Search, User } from 'lucide-react';
import { useEffect, useState } from 'react';
import { shortDayText } from '#contract/calendar.ts';
import { formatDollars } from '#contract/catalog.ts';
import type { PanelArea } from '#contract/owner/areas.ts';
import { useGoTo } from '../account/customer.ts';
import { query } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { Dialog } from '../ui/dialog.tsx';
import { listPageOptions } from './list/list-query.ts';
import { typingMs } from './list/list-tools.tsx';
import { customerNameText } from './orders/name-of.ts';
import { adminTabs, contentLabels, contentPartAreas, contentParts, tabAreas } from './search.ts';
import { useMayUseArea, useSessionEndOn } from './session.ts';

const mostResults = 5;
/** The minimum number of letters for a search. A search with fewer letters would find too many results. */
const leastLetters = 2;

const panelPages: { words: string; path: string; areas: readonly PanelArea[] }[] = [
  ...adminTabs.map(({ value, label }) => ({ words: label, path: `/admin?tab=${value}`, areas: tabAreas[value] })),
  ...contentParts.map((part) => ({
    words: `Content: ${contentLabels[part]}`,
    path: `/admin?tab=content&section=${part}`,
    areas: [contentPartAreas[part]],
  })),
  { words: 'Videos to check', path: '/admin?tab=production&filter=review', areas: ['fulfillment'] },
  { words: 'Reviews to read', path: '/admin?tab=content&section=reviews&filter=waiting', areas: ['content'] },
  { words: 'Settings: Staff and audit trail', path: '/admin?tab=settings', areas: ['security'] },
  { words: 'The shop’s home page', path: paths.home, areas: ['own'] },
];

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Finds an order, a customer, a ticket or a page of the panel by a few letters, and opens it. */
export function CommandPalette({ open, onOpenChange }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Find anything" hideTitle>
      <PaletteSearch onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

interface ResultRow {
  id: string;
  icon: LucideIcon;
  words: string;
  detail?: string;
  path: string;
}
interface ResultGroup {
  heading: string;
  rows: ResultRow[];
}

function PaletteSearch({ onDone }: { onDone: () => void }) {
  const goTo = useGoTo();
  const [words, setWords] = useState('');
  /** Whether the owner pressed Enter before the results arrived. When they arrive, the first result is opened. */
  const [isFirstMeant, setIsFirstMeant] = useState(false);
  const { groups, isSearching, error } = useSearchResults(words.trim());
  const openRow = ({ path }: ResultRow) => {
    onDone();
    goTo(path);
  };
  const firstRow = groups[0]?.rows[0];
  useEffect(() => {
    if (!isFirstMeant || isSearching) return;
    setIsFirstMeant(false);
    if (firstRow) openRow(firstRow);
    // oxlint-disable-next-line react/exhaustive-deps -- navigate once
  }, [isFirstMeant, isSearching]);
  return (
    <Command label="Find anything" shouldFilter={false} loop>
      <div className="-mt-2 flex items-center gap-3 border-b border-hair pr-12 pb-3 sm:-mt-4">
        <Search aria-hidden className="size-5 shrink-0 text-muted" />
        <Command.Input
          value={words}
          onValueChange={(typed) => {
            setWords(typed);
            setIsFirstMeant(false);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !isSearching) return;
            event.preventDefault();
            setIsFirstMeant(true);
          }}
          maxLength={100}
          placeholder="Order, name, email, ticket or page"
          className="h-11 w-full bg-transparent text-ink outline-none placeholder:text-muted"
        />
      </div>
      <Command.List className="mt-3 max-h-[60dvh] overflow-y-auto overscroll-contain">
        <Command.Empty className="px-3 py-6 text-center text-muted">
          {error ? errorText(error) : isSearching ? 'Looking…' : `No results for “${words.trim()}”.`}
        </Command.Empty>
        {groups.map(({ heading, rows }) => (
          <Command.Group
            key={heading}
            heading={heading}
            className="mb-2 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-muted"
          >
            {rows.map((row) => (
              <Command.Item
                key={row.id}
                value={row.id}
                onSelect={() => openRow(row)}
                className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md px-3 py-2 leading-snug data-[selected=true]:bg-linen"
              >
                <row.icon aria-hidden className="size-5 shrink-0 text-muted" />
                <span className="min-w-0 flex-1 break-words">
                  {row.words}
                  {row.detail && <span className="block text-[0.9375rem] break-words text-muted">{row.detail}</span>}
                </span>
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

/** The results by kind. Omits kinds without results. */
function useSearchResults(typedText: string): { groups: ResultGroup[]; isSearching: boolean; error: Error | null } {
  const [q, setQ] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setQ(typedText), typingMs);
    return () => clearTimeout(timer);
  }, [typedText]);
  const isLongEnough = typedText.length >= leastLetters;
  const searchQuery = { query: { q, limit: mostResults } };
  const mayUseArea = useMayUseArea();
  const queryOptionsFor = (area: PanelArea) => ({
    ...listPageOptions,
    enabled: isLongEnough && q.length >= leastLetters && mayUseArea(area),
  });
  const orders = useQuery({ ...query('/api/admin/lists/orders', searchQuery), ...queryOptionsFor('orders') });
  const customers = useQuery({ ...query('/api/admin/lists/customers', searchQuery), ...queryOptionsFor('customers') });
  const tickets = useQuery({
    ...query('/api/admin/lists/support-tickets', searchQuery),
    ...queryOptionsFor('support'),
  });
  const lists = [orders, customers, tickets];
  const error = lists.find((it) => it.error)?.error ?? null;
  useSessionEndOn(error);
  const isSearching = isLongEnough && (q !== typedText || lists.some((it) => it.isFetching));
  const nearPlaces = panelPages
    .filter((it) => it.areas.some(mayUseArea))
    .filter((it) => it.words.toLowerCase().includes(typedText.toLowerCase()));
  const groups: ResultGroup[] = [
    {
      heading: 'Orders',
      rows: (orders.data?.rows ?? []).map((it) => ({
        id: `order-${it.id}`,
        icon: Package,
        words: `${it.orderNumber}, ${customerNameText(it)}`,
        detail: `${formatDollars(it.totalAmount)}, ${shortDayText(it.createdAt)}`,
        path: `/admin?tab=orders&order=${it.id}`,
      })),
    },
    {
      heading: 'Customers',
      rows: (customers.data?.rows ?? []).map((it) => ({
        id: `customer-${it.id}`,
        icon: User,
        words: `${it.firstName} ${it.lastName}`.trim() || it.email,
        detail: it.email,
        path: `/admin?tab=customers&customer=${it.id}`,
      })),
    },
    {
      heading: 'Tickets',
      rows: (tickets.data?.rows ?? []).map((it) => ({
        id: `ticket-${it.id}`,
        icon: LifeBuoy,
        words: it.subject,
        detail: `${it.ticketNumber}, ${it.customerName}`,
        path: `/admin?tab=support&filter=${it.status}&ticket=${it.id}`,
      })),
    },
  ];
  const goTo = { heading: 'Go to', rows: nearPlaces.map((it) => ({ id: it.words, icon: ArrowRight, ...it })) };
  return { groups: [...(isLongEnough ? groups : []), goTo].filter((it) => it.rows.length > 0), isSearching, error };
}
