import { useQuery } from '@tanstack/react-query';
import { Pencil, UserRound } from 'lucide-react';
import { useState } from 'react';
import { shortDayText } from '#contract/calendar.ts';
import { includedPhotoCounts } from '#contract/catalog.ts';
import type { AdminUser } from '#contract/owner/people.ts';
import { query } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Badge, Skeleton } from '../../ui/surfaces.tsx';
import { List } from '../list/list.tsx';
import { listQueryOf, createDownloadUrls, listPageOptions } from '../list/list-query.ts';
import { useMayUseArea } from '../session.ts';
import type { AdminSearch, OnSearch } from '../search.ts';
import { EditUser } from './edit-user.tsx';
import { fullName } from './full-name.ts';

const userFilter = {
  label: 'Show',
  all: 'All users',
  options: [
    { value: 'purchased', label: 'Purchased' },
    { value: 'no-purchase', label: 'No purchase' },
  ],
};
const sorts = [
  { value: '-date', label: 'Newest first' },
  { value: 'date', label: 'Oldest first' },
  { value: 'name', label: 'Name' },
] as const;

/** Users: a card for each account with its photo limits. */
export function UsersTab({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const mayUseArea = useMayUseArea();
  const page = useQuery({ ...query('/api/admin/lists/users', { query: listQueryOf(search) }), ...listPageOptions });
  const [edited, setEdited] = useState<AdminUser>();
  return (
    <>
      <List
        nouns={['user', 'users']}
        page={page}
        downloads={mayUseArea('money') ? createDownloadUrls('users', search) : undefined}
        search={search}
        onSearch={onSearch}
        searchLabel="Search name, email or order number"
        filter={userFilter}
        sorts={sorts}
        hasHeadings={false}
        empty={{ icon: UserRound, title: 'No users yet', words: 'People show up here when they create an account.' }}
        skeleton={<CardsSkeleton />}
      >
        {(rows) => (
          <ul className={gridClasses}>
            {rows.map((user) => (
              <li key={user.id}>
                <UserCard user={user} onEdit={() => setEdited(user)} />
              </li>
            ))}
          </ul>
        )}
      </List>
      {edited && <EditUser user={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

const gridClasses = 'grid gap-4 md:grid-cols-2 xl:grid-cols-3';

function UserCard({ user, onEdit }: { user: AdminUser; onEdit: () => void }) {
  const total = user.basePhotoLimit + user.extraPhotoPackages * includedPhotoCounts.extraPackage;
  const userFacts = [
    ['Base photos', user.basePhotoLimit],
    ['Extra packages', user.extraPhotoPackages],
    ['Reupload credits', user.reuploadCredits],
    ['Photos used', `${user.usedPhotos} of ${total}`],
  ] as const;
  return (
    <article className="flex h-full flex-col rounded-lg border border-hair bg-card p-4 text-[0.9375rem] sm:p-5">
      <header className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-lg break-all">{user.username}</h2>
          <p className="break-words text-muted">{fullName(user)}</p>
        </div>
        <Badge tone={user.hasPurchased ? 'good' : 'neutral'} className="shrink-0">
          {user.hasPurchased ? 'Purchased' : 'No Purchase'}
        </Badge>
      </header>
      <dl className="mt-4 grid grid-cols-2 gap-x-4 gap-y-2.5">
        {userFacts.map(([label, value]) => (
          <div key={label}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
        <div>
          <dt className="text-sm text-muted">Customer ID</dt>
          <dd>
            <Link
              to={`/admin?tab=customers&customer=${user.customerId}`}
              className="link inline-flex min-h-6 items-center font-mono text-sm"
              aria-label={`Customer ${user.customerId.slice(0, 8)}, details`}
            >
              {user.customerId.slice(0, 8)}
            </Link>
          </dd>
        </div>
        <div>
          <dt className="text-sm text-muted">Purchase date</dt>
          <dd>{user.purchaseDate === null ? '–' : shortDayText(user.purchaseDate)}</dd>
        </div>
      </dl>
      <div className="mt-auto pt-4">
        <Button look="secondary" size="small" onClick={onEdit} aria-label={`Edit ${user.username}`}>
          <Pencil aria-hidden className="size-4.5" />
          Edit
        </Button>
      </div>
    </article>
  );
}

const CardsSkeleton = () => (
  <div className={gridClasses}>
    {[0, 1, 2, 3, 4, 5].map((it) => (
      <Skeleton key={it} className="h-72 rounded-lg" />
    ))}
  </div>
);
