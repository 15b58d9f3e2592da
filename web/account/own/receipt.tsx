import { useQuery } from '@tanstack/react-query';
import { momentText } from '#contract/calendar.ts';
import type { ErasureReceipt } from '#contract/erasure.ts';
import { lifetimes } from '#contract/limits.ts';
import { query } from '../../data/api.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { useHeadingFocus } from '../../ui/heading-focus.ts';
import { Card, Skeleton } from '../../ui/surfaces.tsx';
import { LoadProblem } from '../load-problem.tsx';
import { countText } from '#contract/count-text.ts';
import { megabytesText } from '../purchase-text.ts';

export const receiptQuery = (id: string) => query('/api/account/receipts/:id', { params: { id } });

/** /account/erased/{id}: the receipt of an erasure. */
export function ReceiptPage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(receiptQuery(id));
  if (error) return <LoadProblem title="Unable to load this record" error={error} onRetry={() => void refetch()} />;
  return (
    <section aria-busy={!data} className="wrap max-w-3xl py-10 sm:py-16">
      <h1 className="title-2">Deleted for good</h1>
      {data ? <Receipt receipt={data} /> : <Skeleton className="mt-8 h-72 rounded-xl" />}
      <div className="mt-8 flex flex-wrap gap-3 print:hidden">
        <Button look="secondary" onClick={() => window.print()}>
          Print
        </Button>
        <LinkButton look="quiet" to={paths.account}>
          Back to your account
        </LinkButton>
      </div>
    </section>
  );
}

/** Shown after the account is deleted: the receipt, and links to other pages. */
export function AccountDeletedPage({ receipt }: { receipt: ErasureReceipt }) {
  const heading = useHeadingFocus();
  return (
    <section className="wrap max-w-3xl py-10 sm:py-16">
      <h1 ref={heading} tabIndex={-1} className="title-2 outline-none">
        Your account is deleted
      </h1>
      <p className="lede mt-4">
        Thank you for being a customer. We’re emailing you a copy of this page. Then we’ll delete your email address.
      </p>
      <Receipt receipt={receipt} />
      <p className="mt-6 text-muted">
        We keep the sales records of your orders for {lifetimes.keptYears} years, as the law requires: what was bought,
        when, for how much and where it was taxed, without your name.
      </p>
      <div className="mt-8 flex flex-wrap gap-3 print:hidden">
        <Button look="secondary" onClick={() => window.print()}>
          Print
        </Button>
        <LinkButton look="quiet" to={paths.home}>
          Go to the home page
        </LinkButton>
      </div>
    </section>
  );
}

function Receipt({ receipt }: { receipt: ErasureReceipt }) {
  const { frames, photos, videos, sizeBytes, askedAt, doneAt, id } = receipt;
  return (
    <Card className="mt-8 print:border-0 print:p-0 print:shadow-none">
      {frames.length === 0 && <p>There were no photos or videos to delete.</p>}
      <ul className="divide-y divide-hair">
        {frames.map((frame) => (
          <li
            key={`${frame.orderNumber} ${frame.frameName}`}
            className="flex flex-wrap items-baseline justify-between gap-x-6 py-3"
          >
            <span className="font-medium">
              {frame.frameName} <span className="font-normal text-muted">({frame.orderNumber})</span>
            </span>
            <span className="tabular-nums">
              {countText(frame.photos, 'photo')}, {countText(frame.videos, 'video')}
            </span>
          </li>
        ))}
        {frames.length > 0 && (
          <li className="flex flex-wrap items-baseline justify-between gap-x-6 py-3 font-semibold">
            <span>Total</span>
            <span className="tabular-nums">
              {countText(photos, 'photo')}, {countText(videos, 'video')}, {megabytesText(sizeBytes)}
            </span>
          </li>
        )}
      </ul>
      <p className="mt-4 text-muted">
        {doneAt === null
          ? `Requested on ${momentText(askedAt)}. We’re deleting the files and will email you when we’re done.`
          : `Deleted on ${momentText(doneAt)}: the originals, all copies and the videos. Links to them no longer work.`}
      </p>
      <p className="mt-2 text-sm text-muted">Record {id}</p>
    </Card>
  );
}
