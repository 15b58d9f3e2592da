import { useQueryClient } from '@tanstack/react-query';
import { ImagePlus } from 'lucide-react';
import { useState } from 'react';
import type { FrameLimits } from '#contract/frames.ts';
import { refusals } from '#contract/refusals.ts';
import { send } from '../../data/api.ts';
import { errorWords, isRefusal } from '../../data/error-words.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { useOnline } from '../../ui/online.ts';
import { ProgressBar } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useGoTo, useSessionEnd } from '../customer.ts';
import { limitsQuery } from '../limits-query.ts';
import { forgetOrders } from '../order-queries.ts';
import { counted } from '#contract/count-words.ts';
import { isAllLocked, nextStep } from './next-step.ts';
import { DoneButtons } from './done-buttons.tsx';

interface Props {
  frame: FrameLimits;
  globalUsedPhotos: number;
  /** Photos of this frame that are on their way. */
  sending: number;
  /** Of all of those together, 0 to 1. */
  progress: number;
  /** Those that did not arrive, and may if they are sent again. */
  failed: number;
  /** Those that the shop never takes. */
  unusable: number;
  onAddPhotos: () => void;
  /** The frame is locked. */
  onFinished: () => void;
}

/** Always in sight while a frame is open: how far it is, what comes next, and the end of it. */
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
  const [isAsking, setIsAsking] = useState(false);
  const isOffline = !useOnline();
  const finish = () => {
    // Somebody else of the family may be adding photos too: what is about to be locked is counted now.
    void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    if (frame.usedPhotos > 0) setIsAsking(true);
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
            {nextStep({ frame, sending, failed, unusable, isOffline })}
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
            onClick={finish}
            disabled={globalUsedPhotos === 0 || sending > 0}
            className="flex-1 px-4 sm:flex-none sm:px-8"
          >
            I'm Done
          </Button>
        </div>
      </div>
      <FinishDialog {...{ frame, failed, unusable, onFinished }} open={isAsking} onOpenChange={setIsAsking} />
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
  const noteEnd = useSessionEnd();
  const [busy, setBusy] = useState(false);
  const [keepPlaces, setKeepPlaces] = useState(false);
  const finalize = async () => {
    setBusy(true);
    try {
      await send('POST /api/uploads/finalize', { body: { deviceId: frame.deviceId, keepPlaces } }).catch(
        unlessFinalized,
      );
      onFinished();
      forgetOrders(queryClient);
      if (isClosing) {
        onOpenChange(false);
        setBusy(false);
        toast({ title: 'Free Places Closed', description: `${frame.deviceName} stays as it is.` });
        return;
      }
      // It stays busy until the next page is there: a second tap would ask for what is done.
      goTo(paths.uploadComplete('finalized'));
    } catch (error) {
      const words = errorWords(error, 'Failed to finalize frame. Please try again.');
      toast({ title: 'Finalization failed', description: words, destructive: true });
      noteEnd(error);
      setBusy(false);
    } finally {
      void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    }
  };
  // Nothing is there that could be locked: the places that were kept are given up. Those bought later wait for photos.
  const isClosing = isAllLocked(frame.uploads) && frame.laterPhotos === 0;
  const unfinished = isClosing ? [] : unfinishedIn(frame, { failed, unusable });
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !busy && onOpenChange(next)}
      title="Are you done adding photos?"
      description={
        isClosing
          ? `The ${counted(frame.remainingPhotos, 'free place')} of ${frame.deviceName} will be closed for good. The photos we have locked and their videos stay as they are.`
          : `Once you are done, the ${counted(frame.usedPhotos, 'photo')} of ${frame.deviceName} cannot be changed any more, and we start making your videos.`
      }
    >
      {unfinished.length > 0 && (
        <ul className="mt-4 space-y-2 rounded-lg bg-warn-soft p-4 font-medium text-warn">
          {unfinished.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {frame.remainingPhotos > 0 && !isClosing && (
        <Checkbox
          className="mt-4 rounded-lg bg-linen p-4"
          label={`Keep my ${counted(frame.remainingPhotos, 'free place')} for later`}
          hint="We start with the photos that are here, and you can add more whenever you like. Otherwise the places close with this frame."
          checked={keepPlaces}
          disabled={busy}
          onChange={(event) => setKeepPlaces(event.currentTarget.checked)}
        />
      )}
      <DoneButtons busy={busy} onDone={() => void finalize()} />
    </Dialog>
  );
}

/** What can no longer be done once the frame is locked. */
function unfinishedIn(
  { uploads, remainingPhotos, connectionStatus, deviceType }: FrameLimits,
  { failed, unusable }: Pick<Props, 'failed' | 'unusable'>,
): string[] {
  const waiting = uploads.filter((it) => it.isWaiting).length;
  return [
    waiting > 0 &&
      `${counted(waiting, 'photo')} that your family brought ${waiting === 1 ? 'needs' : 'need'} your yes first. Go back and accept or remove ${waiting === 1 ? 'it' : 'them'}.`,
    failed > 0 &&
      `${counted(failed, 'photo')} did not arrive. Go back and tap Retry, or we go on without ${failed === 1 ? 'it' : 'them'}.`,
    unusable > 0 &&
      `${counted(unusable, 'photo')} could not be used. We go on without ${unusable === 1 ? 'it' : 'them'}.`,
    remainingPhotos > 0 && `There is still room for ${counted(remainingPhotos, 'more photo', 'more photos')}.`,
    // Ours shows its code only once it has arrived.
    deviceType === 'byof' &&
      connectionStatus === 'none' &&
      'We do not know how to reach your frame yet. You can tell us at any time: your order leads there.',
  ].filter((it) => it !== false);
}

/** Locked on another device, or before an answer got lost: it is done, as was asked. */
function unlessFinalized(error: unknown) {
  if (!isRefusal(error, 'frame-finalized')) throw error;
}
