import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { videoTitleFromCaption } from '#contract/video-title.ts';
import type { UploadView } from '#contract/frames.ts';
import { limits } from '#contract/limits.ts';
import { unavailableMotionTexts, type MotionStyle } from '#contract/motion.ts';
import type { AllowedMotions, PhotoForm, PhotoPositionForm } from '#contract/photo-forms.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Checkbox, Field, TextInput } from '../../ui/field.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery, useShowLimits } from '../limits-query.ts';
import { withPhotoChanges } from './limits-cache.ts';
import { findAnalysisWarnings } from './analysis-warnings.ts';
import { MotionPreview } from './motion-preview.tsx';
import { facesText } from './faces-text.ts';
import { photoAnalysisQuery } from './photo-analysis-query.ts';
import type { PhotoHint } from './photo-hints.ts';
import { MotionChoice } from './motion-choice.tsx';
import { hasLostOwnMotion, showsOwnMotion } from './own-motion.ts';
import { isPreviewPromised } from './preview-progress.ts';
import { PointPicker } from './point-picker.tsx';

/** The choices if the photo cannot be analyzed. Without its own motion, such a photo has no choices. */
const ownMotionOrStill: MotionStyle[] = ['own-motion', 'depth'];
const unspecifiedMotions: AllowedMotions = { living: null, water: false, candle: null };

interface Props {
  photo: UploadView;
  hints: readonly PhotoHint[];
  hasPreviews: boolean;
}

/**
 * The customer's wishes for a photo before it is finalized: its title, its focus point and its motion. Each change is
 * saved at once.
 */
export function PhotoWishes({ photo, hints, hasPreviews }: Props) {
  const { data: seen, isLoading } = useQuery({
    ...photoAnalysisQuery(photo.id),
    staleTime: Infinity,
  });
  const isLoadingSlow = useIsLate(isLoading, mostLoadingSeconds);
  const save = useSavePhotoChanges(photo);
  const [moving, setMoving] = useState<{ which: 'focus' | 'candle'; to: PhotoPositionForm }>();
  const [active, setActive] = useState<'focus' | 'candle'>('focus');
  const allowedMotions = photo.moves ?? unspecifiedMotions;
  const [caption, setCaption] = useState(photo.caption ?? '');
  const title = videoTitleFromCaption(caption);
  const isTitled = photo.isTitled && title !== undefined;
  const faces = seen?.faces ?? [];
  const motions = seen?.motions ?? (photo.hasOwnMotion ? ownMotionOrStill : undefined);
  const focus = moving?.which === 'focus' ? moving.to : (photo.focus ?? findMiddleOfFaces(faces));
  const candle = moving?.which === 'candle' ? moving.to : allowedMotions.candle;
  const setPoint = (which: 'focus' | 'candle', to: PhotoPositionForm) => {
    setMoving(undefined);
    void save(which === 'focus' ? { focus: to } : { moves: { ...allowedMotions, candle: to } });
  };
  const warnings = [
    ...hints.map((it) => it.words),
    ...(hasLostOwnMotion(photo) ? [unavailableMotionTexts['own-motion']] : []),
    ...(seen ? findAnalysisWarnings(allowedMotions, seen) : []),
  ];
  return (
    <div className="mt-5 grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div>
        <PointPicker
          photo={photo}
          focus={focus}
          candle={candle}
          active={candle ? active : 'focus'}
          onActive={setActive}
          onMove={(which, to) => setMoving({ which, to })}
          onSet={setPoint}
        />
        <p className="mt-2 text-[0.9375rem] text-muted" role="status">
          {photo.focus
            ? 'The video moves to the spot you chose.'
            : facesText({ isLooking: isLoading && !isLoadingSlow, faces: seen?.faces.length })}
          {photo.focus && (
            <button type="button" className="link ml-2 min-h-11" onClick={() => void save({ focus: null })}>
              Choose for me
            </button>
          )}
        </p>
        {warnings.length > 0 && (
          <Notice className="mt-3">
            <ul className="space-y-1">
              {warnings.map((words) => (
                <li key={words}>{words}</li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
      <div className="space-y-5">
        <MotionPreview
          photo={photo}
          focus={focus}
          hasFaces={faces.length > 0}
          title={isTitled ? title : undefined}
          preview={photo.preview}
          isComing={isPreviewPromised(photo, hasPreviews)}
          label={photo.originalFileName}
        />
        {motions && <MotionChoice motions={motions} photo={photo} onChoose={(style) => void save({ style })} />}
        {showsOwnMotion(photo) && !hasLostOwnMotion(photo) && (
          <p className="text-[0.9375rem] text-muted">
            This photo came with a few seconds of motion, so we show the moment itself, without sound. To animate the
            still picture instead, choose another motion.
          </p>
        )}
        <Caption photo={photo} caption={caption} onType={setCaption} save={save} />
        <Checkbox
          label="Show the title in the video"
          hint={
            title !== undefined
              ? 'The title fades in and out in a quiet corner, never over a face we found.'
              : caption.trim() === ''
                ? 'Give the photo a title first.'
                : 'We can only show Latin letters, so this title won’t show up in the video.'
          }
          disabled={title === undefined}
          checked={isTitled}
          onChange={(event) => void save({ isTitled: event.currentTarget.checked })}
        />
        <Checkbox
          label="Repair this old photo"
          hint="We’ll remove scratches and dust and bring back faded colors in the video. Your original photo stays as it is."
          checked={photo.isRepaired}
          onChange={(event) => void save({ isRepaired: event.currentTarget.checked })}
        />
        <Checkbox
          label="Keep the people in this photo still"
          hint="For someone who has passed away. Only the light and the camera will move."
          checked={allowedMotions.living === false}
          onChange={(event) =>
            void save({ moves: { ...allowedMotions, living: event.currentTarget.checked ? false : null } })
          }
        />
        <Checkbox
          label="This is water: let it ripple"
          hint={seen?.hasWater ? 'We think this photo shows water.' : undefined}
          checked={allowedMotions.water}
          onChange={(event) => void save({ moves: { ...allowedMotions, water: event.currentTarget.checked } })}
        />
        <Checkbox
          label="There’s a candle or a lamp: let it glow"
          hint={allowedMotions.candle ? 'Tap it in the photo, or drag the flame to it.' : undefined}
          checked={allowedMotions.candle !== null}
          onChange={(event) => {
            const isChecked = event.currentTarget.checked;
            setActive(isChecked ? 'candle' : 'focus');
            void save({ moves: { ...allowedMotions, candle: isChecked ? (seen?.glows[0] ?? focus) : null } });
          }}
        />
      </div>
    </div>
  );
}

/**
 * How long the page waits for the face detection. Then it asks the customer to continue. A later result is still used.
 */
const mostLoadingSeconds = 20;

/** Returns true if `isGoingOn` lasts longer than this. */
function useIsLate(isGoingOn: boolean, seconds: number): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setTimeout(() => setIsLate(true), seconds * 1000);
    return () => clearTimeout(timer);
  }, [isGoingOn, seconds]);
  return isGoingOn && isLate;
}

type SaveChanges = (changes: PhotoForm) => Promise<void>;

interface CaptionProps {
  photo: UploadView;
  caption: string;
  onType: (caption: string) => void;
  save: SaveChanges;
}
function Caption({ photo, caption, onType, save }: CaptionProps) {
  const saveTitle = () => {
    if (caption.trim() !== (photo.caption ?? '')) void save({ caption });
  };
  const latestSave = useRef(saveTitle);
  useEffect(() => {
    latestSave.current = saveTitle;
  });
  // Save on unmount too. Escape, or a tap outside the dialog on a phone, removes the field without a blur event.
  useEffect(() => () => latestSave.current(), []);
  return (
    <Field label="Title of the video" optional>
      {(tied) => (
        <TextInput
          {...tied}
          value={caption}
          maxLength={limits.captionCharacters}
          placeholder="Grandpa's boat, summer 1962"
          onChange={(event) => onType(event.currentTarget.value)}
          onBlur={saveTitle}
          onKeyDown={({ key, nativeEvent }) => key === 'Enter' && !nativeEvent.isComposing && saveTitle()}
        />
      )}
    </Field>
  );
}

/**
 * Saves changes of a photo. Shows each change at once, and undoes it if the shop refuses it. Requests run one after the
 * other, so that the shop stores the last change.
 */
function useSavePhotoChanges(photo: UploadView): SaveChanges {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const showLimits = useShowLimits();
  const saveQueue = useRef(Promise.resolve());
  const waitingChangeCount = useRef(0);
  const { queryKey } = limitsQuery();
  return ({ caption, ...changes }) => {
    const captionChange = caption === undefined ? {} : { caption };
    // Positions are valid only in the picture that this window shows.
    const seenFileName = (changes.focus ?? changes.moves) ? { fileName: photo.fileName } : {};
    const shownChanges = { ...changes, ...(caption !== undefined && { caption: caption.trim() || null }) };
    showLimits((limits) => withPhotoChanges(limits, photo.id, shownChanges as Partial<UploadView>));
    waitingChangeCount.current++;
    saveQueue.current = saveQueue.current.then(async () => {
      try {
        await send('PUT /api/uploads/:id', {
          params: { id: photo.id },
          body: { ...changes, ...captionChange, ...seenFileName },
        });
      } catch (error) {
        toast({ title: 'Not saved', description: errorText(error), destructive: true });
        handleSessionEnd(error);
      }
      // Refetch only after the last request. An earlier response would not contain the later changes.
      if (--waitingChangeCount.current > 0) return;
      void queryClient.invalidateQueries({ queryKey });
      void queryClient.invalidateQueries({ queryKey: photoAnalysisQuery(photo.id).queryKey });
    });
    return saveQueue.current;
  };
}

/** The default focus point: the center of all faces together. Without faces, a point slightly above the middle. */
function findMiddleOfFaces(
  faces: readonly { left: number; top: number; width: number; height: number }[],
): PhotoPositionForm {
  if (faces.length === 0) return { x: 0.5, y: 0.45 };
  const [left, top] = [Math.min(...faces.map((it) => it.left)), Math.min(...faces.map((it) => it.top))];
  const right = Math.max(...faces.map((it) => it.left + it.width));
  const bottom = Math.max(...faces.map((it) => it.top + it.height));
  return { x: clampToUnit((left + right) / 2), y: clampToUnit((top + bottom) / 2) };
}
const clampToUnit = (value: number) => Math.min(1, Math.max(0, value));
