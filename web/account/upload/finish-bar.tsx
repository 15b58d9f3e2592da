import { useQueryClient } from '@tanstack/react-query';
import { ImagePlus } from 'lucide-react';
import { useState } from 'react';
import type { FrameLimits } from '#contract/frames.ts';
import { refusals } from '#contract/refusals.ts';
import { send } from '../../data/api.ts';
import { errorText, isRefusal } from '../../data/error-text.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { useOnline } from '../../ui/online.ts';
import { ProgressBar } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useGoTo, useSessionEnd } from '../customer.ts';
import { limitsQuery } from '../limits-query.ts';
import { removeCachedOrders } from '../order-queries.ts';
import { countText } from '#contract/count-text.ts';
import { isAllLocked, findNextStep } from './next-step.ts';
import { DoneButtons } from './done-buttons.tsx';

interface Props {
  frame: FrameLimits;
  globalUsedPhotos: number;
  /** The number of this frame's photos that are uploading. */
  sending: number;
  /** The combined progress of the photos that are uploading, 0 to 1. */
  progress: number;
  /** The number of failed photos that can be retried. */
  failed: number;
  /** The number of photos that the shop never accepts. */
  unusable: number;
  onAddPhotos: () => void;
  /** Called after the frame is locked. */
  onFinished: () => void;
}

/** A bar that is always visible while a frame is open, with the progress, the next step and the button to finish. */
export function FinishBar({
  frame,
  globalUsedPhotos,
  sending,
  progress,
  failed,
  unusable,
  onAddPhotos,
  onFinished,
}: Props) {
  const queryClient = useQueryClient();
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const isOffline = !useOnline();
  const askToFinish = () => {
    // A family member may be adding photos too, so load the current count before the frame is locked.
    void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    if (frame.usedPhotos > 0) setIsDialogOpen(true);
    else toast({ title: 'No Photos Yet', description: refusals['no-photos-yet'].words, destructive: true });
  };
  return (
    <div
      data-bottom-bar
      className="sticky bottom-0 z-30 mt-8 border-t border-hair bg-card shadow-lifted max-sm:-mx-5 max-sm:px-5 sm:rounded-t-xl sm:border-x"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 sm:px-6 sm:py-4">
        <p className="min-w-0 flex-1 basis-64 leading-snug" role="status">
          <span className="font-semibold">
            {frame.usedPhotos} of {frame.totalLimit} photos
          </span>
          <span className="block text-[0.9375rem] text-muted">
            {findNextStep({ frame, sending, failed, unusable, isOffline })}
          </span>
          {sending > 0 && <ProgressBar value={progress} label="Uploading all photos" className="mt-1.5" />}
        </p>
        <div className="flex w-full gap-2 sm:w-auto">
          {frame.remainingPhotos > 0 && (
            <Button look="secondary" onClick={onAddPhotos} className="flex-1 px-4 sm:flex-none sm:px-6">
              <ImagePlus aria-hidden className="size-5" />
              Add photos
            </Button>
          )}
          <Button
            onClick={askToFinish}
            disabled={globalUsedPhotos === 0 || sending > 0}
            className="flex-1 px-4 sm:flex-none sm:px-8"
          >
            I'm Done
          </Button>
        </div>
      </div>
      <FinishDialog {...{ frame, failed, unusable, onFinished }} open={isDialogOpen} onOpenChange={setIsDialogOpen} />
    </div>
  );
}

function FinishDialog(
  props: Pick<Props, 'frame' | 'failed' | 'unusable' | 'onFinished'> & {
    open: boolean;
    onOpenChange: (open: boolean) => void;
  },
) {
  const { frame, failed, unusable, onFinished, open, onOpenChange } = props;
  const queryClient = useQueryClient();
  const goTo = useGoTo();
  const handleSessionEnd = useSessionEnd();
  const [busy, setBusy] = useState(false);
  const [keepPlaces, setKeepPlaces] = useState(false);
  const finalize = async () => {
    setBusy(true);
    try {
      await send('POST /api/uploads/finalize', { body: { deviceId: frame.deviceId, keepPlaces } }).catch(
        rethrowUnlessFinalized,
      );
      onFinished();
      removeCachedOrders(queryClient);
      if (givesUpPlaces) {
        onOpenChange(false);
        setBusy(false);
        toast({ title: 'Frame closed', description: `${frame.deviceName} stays as it is.` });
        return;
      }
      // Keep the button busy until the next page is open. A second tap would finalize again.
      goTo(paths.uploadComplete('finalized'));
    } catch (error) {
      const message = errorText(error, 'Failed to finalize frame. Please try again.');
      toast({ title: 'Finalization failed', description: message, destructive: true });
      handleSessionEnd(error);
      setBusy(false);
    } finally {
      void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    }
  };
  // If all photos are locked, finalizing only gives up the remaining room. Room that was bought later cannot be given
  // up before it has photos.
  const givesUpPlaces = isAllLocked(frame.uploads) && frame.laterPhotos === 0;
  const unfinishedItems = givesUpPlaces ? [] : listUnfinishedItems(frame, { failed, unusable });
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !busy && onOpenChange(next)}
      title="Are you done adding photos?"
      description={
        givesUpPlaces
          ? `You won’t be able to add ${countText(frame.remainingPhotos, 'more photo', 'more photos')} to ${frame.deviceName} anymore. Your locked photos and their videos stay the same.`
          : `Once you’re done, the ${countText(frame.usedPhotos, 'photo')} on ${frame.deviceName} can’t be changed anymore, and we’ll start making your videos.`
      }
    >
      {unfinishedItems.length > 0 && (
        <ul className="mt-4 space-y-2 rounded-lg bg-warn-soft p-4 font-medium text-warn">
          {unfinishedItems.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {frame.remainingPhotos > 0 && !givesUpPlaces && (
        <Checkbox
          className="mt-4 rounded-lg bg-linen p-4"
          label={`Let me add ${countText(frame.remainingPhotos, 'more photo', 'more photos')} later`}
          hint="We’ll start with the photos you have now, and you can add more at any time. Otherwise, we close this frame to new photos."
          checked={keepPlaces}
          disabled={busy}
          onChange={(event) => setKeepPlaces(event.currentTarget.checked)}
        />
      )}
      <DoneButtons busy={busy} onDone={() => void finalize()} />
    </Dialog>
  );
}

/** The warnings about what is unfinished and cannot be changed after the frame is locked. */
function listUnfinishedItems(
  { uploads, remainingPhotos, connectionStatus, deviceType }: FrameLimits,
  { failed, unusable }: Pick<Props, 'failed' | 'unusable'>,
): string[] {
  const waitingCount = uploads.filter((it) => it.isWaiting).length;
  return [
    waitingCount > 0 &&
      `${countText(waitingCount, 'photo')} from your family ${waitingCount === 1 ? 'is' : 'are'} waiting for you. Go back and accept or remove ${waitingCount === 1 ? 'it' : 'them'}.`,
    failed > 0 &&
      `${countText(failed, 'photo')} didn’t upload. Go back and tap Retry, or we’ll continue without ${failed === 1 ? 'it' : 'them'}.`,
    unusable > 0 &&
      `${countText(unusable, 'photo')} can’t be used. We’ll continue without ${unusable === 1 ? 'it' : 'them'}.`,
    remainingPhotos > 0 && `You still have room for ${countText(remainingPhotos, 'more photo', 'more photos')}.`,
    // Only for the customer's own frame: a Kinframe shows its code only after it has arrived.
    deviceType === 'byof' &&
      connectionStatus === 'none' &&
      'Your frame isn’t connected yet. You can connect it at any time from your order.',
  ].filter((it) => it !== false);
}

/** Ignores `frame-finalized`: the frame is already finalized, on another device or by a request without a response. */
function rethrowUnlessFinalized(error: unknown) {
  if (!isRefusal(error, 'frame-finalized')) throw error;
}
