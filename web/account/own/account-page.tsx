import { useQuery } from '@tanstack/react-query';
import type { ErasureReceipt } from '#contract/erasure.ts';
import { Skeleton } from '../../ui/surfaces.tsx';
import { LoadProblem } from '../load-problem.tsx';
import { accountQuery } from './account-query.ts';
import { PersonalDataSection } from './own-data.tsx';
import { OwnPhotos } from './own-photos.tsx';
import { Passkeys } from './passkeys.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';

/** /account: the customer's profile, ways to sign in, and what happens to their photos. */
export function AccountPage({ onDeleted }: { onDeleted: (receipt: ErasureReceipt) => void }) {
  const { data, error, refetch } = useQuery(accountQuery());
  if (error && !data)
    return <LoadProblem title="Unable to load your account" error={error} onRetry={() => void refetch()} />;
  if (!data) return <AccountSkeleton />;
  return (
    <section className="wrap max-w-6xl py-10 sm:py-16">
      <h1 className="title-2">Your account</h1>
      <div className="mt-8 grid gap-6 lg:grid-cols-2 lg:items-start">
        <div className="space-y-6">
          <Profile customer={data.customer} newEmail={data.newEmail} />
          <Passkeys passkeys={data.passkeys} />
          <Sessions sessions={data.sessions} />
        </div>
        <div className="space-y-6">
          <div id="photos" tabIndex={-1} className="scroll-mt-24 outline-none">
            <OwnPhotos frames={data.frames} receipts={data.receipts} />
          </div>
          <PersonalDataSection unfinished={data.unfinished} onDeleted={onDeleted} />
        </div>
      </div>
    </section>
  );
}

export function AccountSkeleton() {
  return (
    <section aria-busy className="wrap max-w-6xl py-10 sm:py-16">
      <h1 className="sr-only">Your account</h1>
      <Skeleton className="h-12 w-64" />
      <div className="mt-8 grid gap-6 lg:grid-cols-2">
        <Skeleton className="h-72 rounded-xl" />
        <Skeleton className="h-72 rounded-xl" />
        <Skeleton className="h-56 rounded-xl" />
        <Skeleton className="h-56 rounded-xl" />
      </div>
    </section>
  );
}
