import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronRight, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { AuditRow } from '#contract/owner/audit.ts';
import { roleNames } from '#contract/owner/areas.ts';
import { query } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Card, EmptyState, Skeleton } from '../../ui/surfaces.tsx';
import { LoadErrorNotice } from '../not-loaded.tsx';
import type { AdminSearch, OnSearch } from '../search.ts';
import { uncachedQueryOptions, useSessionEndOn } from '../session.ts';
import { actText } from './act-text.ts';
import { staffQuery } from './staff-section.tsx';

const rowsOfPage = 20;

/** The audit trail: who did what in the panel, of everyone or of one person. */
export function AuditSection({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const { person, after } = search;
  const { data: staff } = useQuery({ ...staffQuery(), ...uncachedQueryOptions });
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...query('/api/admin/lists/audit', { query: { person, after, limit: rowsOfPage } }),
    ...uncachedQueryOptions,
    placeholderData: keepPreviousData,
  });
  useSessionEndOn(error);
  const showPage = (next: string | null) => next !== null && onSearch({ after: next }, { isPage: true });
  return (
    <section aria-labelledby="settings-audit">
      <h2 id="settings-audit" className="title-3">
        Audit trail
      </h2>
      <p className="mt-1 mb-5 text-muted">
        Every change in this panel, with the person who made it. It can’t be edited.
      </p>
      <Field label="Person" className="max-w-xs">
        {(tied) => (
          <Select
            {...tied}
            value={person ?? ''}
            onChange={({ currentTarget }) => onSearch({ person: currentTarget.value || undefined, after: undefined })}
          >
            <option value="">Everyone</option>
            <option value="owner">Owner</option>
            {staff?.members.map(({ id, name, email, state }) => (
              <option key={id} value={id}>
                {name} ({state === 'removed' ? 'removed' : email})
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="mt-4">
        {data ? (
          data.rows.length === 0 ? (
            <EmptyState icon={<ScrollText aria-hidden className="size-7" />} title="Nothing here">
              {person === undefined ? 'Changes in this panel show up here.' : 'This person hasn’t changed anything.'}
            </EmptyState>
          ) : (
            <Card className="py-2 sm:py-3">
              <ol aria-busy={isPlaceholderData} className="divide-y divide-hair text-[0.9375rem]">
                {data.rows.map((row) => (
                  <li key={row.id}>
                    <Row row={row} />
                  </li>
                ))}
              </ol>
            </Card>
          )
        ) : error ? (
          <LoadErrorNotice title="We couldn’t load the audit trail" error={error} onRetry={refetch} />
        ) : (
          <Skeleton className="h-96 rounded-lg" />
        )}
        {data && (data.previous !== null || data.next !== null) && (
          <div className="mt-3 flex gap-3">
            <Button
              look="secondary"
              size="small"
              disabled={data.previous === null}
              onClick={() => showPage(data.previous)}
            >
              Newer
            </Button>
            <Button look="secondary" size="small" disabled={data.next === null} onClick={() => showPage(data.next)}>
              Older
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

function Row({ row: { at, act, subjectId, who, before, after, requestId } }: { row: AuditRow }) {
  const [isOpen, setIsOpen] = useState(false);
  const entryFacts = [
    ['About', subjectId],
    ['Before', toJsonText(before)],
    ['After', toJsonText(after)],
    ['In the log', requestId],
  ].filter(([, value]) => value);
  return (
    <details className="group" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer list-none gap-2 rounded-md py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="mt-0.5 size-4.5 shrink-0 text-muted transition-transform group-open:rotate-90"
        />
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-4">
          <span className="min-w-0 flex-1 basis-52 font-semibold wrap-anywhere">{actText(act)}</span>
          <span className="min-w-0 basis-full wrap-anywhere text-muted md:basis-40 lg:basis-56">
            {who === null ? 'Not recorded' : who.id === 'owner' ? who.name : `${who.name}, ${roleNameOf(who.role)}`}
          </span>
          <time dateTime={at} className="whitespace-nowrap text-muted tabular-nums md:w-52 md:text-right">
            {shortMomentText(at)}
          </time>
        </span>
      </summary>
      {isOpen && (
        <dl className="mb-3 grid gap-x-4 gap-y-1.5 rounded-lg bg-linen p-3 sm:grid-cols-[6rem_minmax(0,1fr)]">
          {entryFacts.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="max-h-60 overflow-y-auto font-mono text-sm whitespace-pre-wrap wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </details>
  );
}

const roleNameOf = (role: string): string => (role in roleNames ? roleNames[role as keyof typeof roleNames] : role);
const toJsonText = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 1);
