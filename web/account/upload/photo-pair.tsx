import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import type { FrameLimits, UploadView } from '#contract/frames.ts';
import { send } from '../../data/api.ts';
import { errorText, isRefusal } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusAfterRemoval } from '../../ui/focus-position.ts';
import { RetryingImage } from '../../ui/retrying-image.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery, useShowLimits } from '../limits-query.ts';
import { withPhotoPair } from './limits-cache.ts';
import { mayBeInPair, findPartner } from './pair-partner.ts';

/** Suggests two upright photos of the frame to show side by side in one video, one pair after the other. */
export function PairSuggestion({ frame }: { frame: FrameLimits }) {
  const photos = (frame.suggestedPair ?? []).flatMap((id) => frame.uploads.find((it) => it.id === id) ?? []);
  const [left, right] = photos;
  return left && right && <Suggestion key={`${left.id} ${right.id}`} deviceId={frame.deviceId} pair={[left, right]} />;
}

type Pair = [left: UploadView, right: UploadView];

function Suggestion({ deviceId, pair }: { deviceId: string; pair: Pair }) {
  const titleId = useId();
  const group = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(group);
  const { isSaving, save } = usePairing(deviceId);
  return (
    <Card ref={group} role="group" aria-labelledby={titleId}>
      <div className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_minmax(0,18rem)] sm:items-center">
        <div>
          <h3 id={titleId} className="font-semibold">
            Show these two side by side?
          </h3>
          <p className="mt-2 text-muted">
            Two upright photos fill the screen better together. Both come to life in one video instead of two.
          </p>
          <div className="mt-4 flex flex-wrap gap-2">
            <Button size="small" aria-disabled={isSaving} onClick={() => void save(pair, true)}>
              {isSaving ? 'Saving...' : 'Show side by side'}
            </Button>
            <Button size="small" look="secondary" aria-disabled={isSaving} onClick={() => void save(pair, false)}>
              Keep separate
            </Button>
          </div>
        </div>
        <PairPicture pair={pair} className="max-sm:order-first" />
      </div>
    </Card>
  );
}

/** A sketch of the frame's screen with both photos in a paper mat. */
function PairPicture({ pair, className = '' }: { pair: Pair; className?: string }) {
  return (
    <div
      className={`flex aspect-16/10 items-stretch justify-center gap-[3%] rounded-lg bg-[#f3efe7] p-[4%] shadow-card ${className}`}
    >
      {pair.map((photo) => (
        <RetryingImage
          key={photo.id}
          src={photo.thumbnailUrl}
          alt={photo.originalFileName}
          loading="lazy"
          style={photo.focus ? { objectPosition: `${photo.focus.x * 100}% ${photo.focus.y * 100}%` } : undefined}
          className="aspect-3/4 h-full min-h-0 object-cover"
        />
      ))}
    </div>
  );
}

interface ChoiceProps {
  deviceId: string;
  photos: readonly UploadView[];
  photo: UploadView;
}
/** In a photo's dialog: ends the photo's pair, or starts one with another upright photo of the frame. */
export function PairChoice({ deviceId, photos, photo }: ChoiceProps) {
  const titleId = useId();
  const [isChoosing, setIsChoosing] = useState(false);
  const { isSaving, save } = usePairing(deviceId);
  const partner = findPartner(photo, photos);
  if (partner) {
    const pair: Pair = photo.shownWithId === partner.id ? [partner, photo] : [photo, partner];
    return (
      <section aria-labelledby={titleId} className="mt-5 flex flex-wrap items-center gap-4 border-t border-line pt-5">
        <PairPicture pair={pair} className="w-40 shrink-0" />
        <div className="min-w-0 flex-1 basis-60">
          <h3 id={titleId} className="font-semibold">
            Shown side by side
          </h3>
          <p className="text-[0.9375rem] text-muted">This photo shares one video with {partner.originalFileName}.</p>
          <button
            type="button"
            className="link min-h-11"
            aria-disabled={isSaving}
            onClick={() => void save(pair, false)}
          >
            Give each photo its own video
          </button>
        </div>
      </section>
    );
  }
  const otherPhotos = photos.filter((it) => it.id !== photo.id && mayBeInPair(it) && !findPartner(it, photos));
  if (!mayBeInPair(photo) || otherPhotos.length === 0) return null;
  return (
    <section aria-labelledby={titleId} className="mt-5 border-t border-line pt-5">
      <h3 id={titleId} className="font-semibold">
        Side by side
      </h3>
      <p className="text-[0.9375rem] text-muted">
        Two upright photos can share the screen, in one video instead of two.{' '}
        {isChoosing ? 'Tap the photo to show next to this one.' : ''}
      </p>
      {isChoosing ? (
        <ul className="mt-3 grid grid-cols-4 gap-2 sm:grid-cols-6 lg:grid-cols-8">
          {otherPhotos.map((other) => (
            <li key={other.id}>
              <button
                type="button"
                aria-label={`Show next to ${other.originalFileName}`}
                aria-disabled={isSaving}
                onClick={() => void save([photo, other], true)}
                className="block w-full overflow-hidden rounded-lg bg-clay"
              >
                <RetryingImage
                  src={other.thumbnailUrl}
                  alt=""
                  loading="lazy"
                  className="aspect-3/4 w-full object-cover"
                />
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <button type="button" className="link min-h-11" onClick={() => setIsChoosing(true)}>
          Choose a photo to go with it
        </button>
      )}
    </section>
  );
}

function usePairing(deviceId: string) {
  const [isSaving, setIsSaving] = useState(false);
  const queryClient = useQueryClient();
  const showLimits = useShowLimits();
  const handleSessionEnd = useSessionEnd();
  const save = async ([left, right]: Pair, isPair: boolean) => {
    if (isSaving) return;
    const body = { leftId: left.id, rightId: right.id, isPair };
    setIsSaving(true);
    try {
      await send('PUT /api/devices/:id/photo-pair', { params: { id: deviceId }, body });
      showLimits((limits) => withPhotoPair(limits, body));
    } catch (error) {
      if (isRefusal(error, 'not-found')) return; // one of them was deleted in the meantime, for example in another tab
      toast({ title: 'Not saved', description: errorText(error), destructive: true });
      handleSessionEnd(error);
    } finally {
      setIsSaving(false);
      void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    }
  };
  return { isSaving, save };
}
