import { Images } from 'lucide-react';
import { useState } from 'react';
import type { Account, AccountFrame } from '#contract/account.ts';
import { dayText } from '#contract/calendar.ts';
import type { ErasureReceipt } from '#contract/erasure.ts';
import { lifetimes } from '#contract/limits.ts';
import { send } from '../../data/api.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { useGoTo } from '../customer.ts';
import { TitledCard } from '../titled-card.tsx';
import { countText } from '#contract/count-text.ts';
import { useAccountChange } from './account-query.ts';
import { useReauthentication } from './reauthentication.tsx';

/**
 * Shows how long the photos and videos of each frame are kept. The customer can keep them longer, or delete all of
 * them.
 */
export function OwnPhotos({ frames, receipts }: Pick<Account, 'frames' | 'receipts'>) {
  const goTo = useGoTo();
  const { change } = useAccountChange();
  const { withProof, dialog } = useReauthentication();
  const [isErasing, setIsErasing] = useState(false);
  const undeliveredFrames = frames.filter((it) => it.keptUntil === null && it.photos > 0);
  const hasPhotos = frames.some((it) => it.photos > 0 && !it.isErased);
  const erase = async () => {
    let receipt: ErasureReceipt | undefined;
    const isDone = await change(
      async () => {
        const isProved = await withProof(async () => {
          receipt = await send('POST /api/account/erase');
        });
        return isProved && { message: 'We also emailed you a list of what we deleted.' };
      },
      { done: 'Everything is deleted', failed: 'Nothing was deleted' },
    );
    if (isDone && receipt) goTo(paths.receipt(receipt.id));
  };
  return (
    <TitledCard icon={Images} title="Your photos and videos">
      <p className="text-muted">
        We keep them for {lifetimes.deliveryDays} days after delivery and email you before we delete them.{' '}
        <Link to={paths.yourPhotos} className="link">
          How we keep your photos private
        </Link>
        .
      </p>
      {frames.length > 0 && (
        <ul className="mt-4 divide-y divide-hair">
          {frames.map((frame) => (
            <FrameRetention key={frame.id} frame={frame} />
          ))}
        </ul>
      )}
      {hasPhotos && (
        <Button look="secondary" className="mt-5 text-bad" onClick={() => setIsErasing(true)}>
          Delete everything now
        </Button>
      )}
      {receipts.length > 0 && (
        <div className="mt-6">
          <h3 className="font-semibold">Records of deleted photos and videos</h3>
          <ul className="mt-1">
            {receipts.map((receipt) => (
              <li key={receipt.id}>
                <Link to={paths.receipt(receipt.id)} className="link inline-flex min-h-11 items-center">
                  {dayText(receipt.askedAt)}: {countText(receipt.photos, 'photo')}, {countText(receipt.videos, 'video')}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      <ConfirmDialog
        open={isErasing}
        onOpenChange={setIsErasing}
        title="Delete all photos and videos?"
        description={
          <>
            We’ll delete every photo you gave us and every video we made. Links to them will stop working. You can’t
            undo this.
            {undeliveredFrames.length > 0 && (
              <span className="mt-3 block font-medium text-ink">
                Not delivered yet: {undeliveredFrames.map((it) => it.name).join(', ')}. We’ll stop working on these. You
                can start again with new photos for every video you haven’t seen yet.
              </span>
            )}
          </>
        }
        confirmLabel="Delete everything"
        busyLabel="Deleting..."
        destructive
        onConfirm={erase}
      />
      {dialog}
    </TitledCard>
  );
}

function FrameRetention({ frame }: { frame: AccountFrame }) {
  const { change } = useAccountChange();
  const { id, name, orderNumber, photos, keptUntil, isKept, isErased } = frame;
  const setKeepsPhotos = (isWanted: boolean) =>
    change(
      async () => {
        const { keptUntil: until } = await send('PUT /api/account/frames/:id/keep', {
          params: { id },
          body: { keep: isWanted },
        });
        return { message: `${name} is kept until ${dayText(until!)}.` };
      },
      { done: isWanted ? 'We’ll keep them' : 'We’ll keep them for the usual time', failed: 'Not changed' },
    );
  return (
    <li className="py-4">
      <p>
        <span className="font-medium">{name}</span> <span className="text-muted">({orderNumber})</span>
      </p>
      <p className="text-[0.9375rem] text-muted">
        {isErased
          ? `We delete them on ${dayText(keptUntil!)}.`
          : keptUntil === null
            ? photos === 0
              ? 'No photos yet.'
              : `${countText(photos, 'photo')}, not delivered yet.`
            : `${countText(photos, 'photo')}, kept until ${dayText(keptUntil)}.`}
      </p>
      {keptUntil !== null && !isErased && (
        <Checkbox
          className="mt-3"
          label={`Keep them for ${lifetimes.keptYears} years`}
          aria-label={`Keep ${name} of ${orderNumber} for ${lifetimes.keptYears} years`}
          checked={isKept}
          onChange={(event) => void setKeepsPhotos(event.target.checked)}
        />
      )}
    </li>
  );
}
