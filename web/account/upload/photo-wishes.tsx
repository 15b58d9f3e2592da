import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { filmTitle } from '#contract/film-title.ts';
import type { UploadView } from '#contract/frames.ts';
import { limits } from '#contract/limits.ts';
import type { Moves, PhotoForm, PlaceForm } from '#contract/photo-forms.ts';
import { query, send } from '../../data/api.ts';
import { errorWords } from '../../data/error-words.ts';
import { Checkbox, Field, Select, TextInput } from '../../ui/field.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery, useShowLimits } from '../limits-query.ts';
import { withDescribed } from './limits-cache.ts';
import { MotionPreview } from './motion-preview.tsx';
import type { PhotoHint } from './photo-hints.ts';
import { PointPicker } from './point-picker.tsx';

const unsaid: Moves = { living: null, water: false, candle: null };

/** What a customer says of a photo before they are done: its title, where the eye goes, what may move. Kept as it is said. */
export function PhotoWishes({ photo, hints }: { photo: UploadView; hints: readonly PhotoHint[] }) {
  const { data: seen, isLoading } = useQuery({
    ...query('/api/uploads/:id/seen', { params: { id: photo.id } }),
    staleTime: Infinity,
  });
  const save = useSaving(photo);
  const [moving, setMoving] = useState<{ which: 'focus' | 'candle'; to: PlaceForm }>();
  const [active, setActive] = useState<'focus' | 'candle'>('focus');
  const moves = photo.moves ?? unsaid;
  const [caption, setCaption] = useState(photo.caption ?? '');
  const title = filmTitle(caption);
  const isTitled = photo.isTitled && title !== undefined;
  const faces = seen?.faces ?? [];
  const focus = moving?.which === 'focus' ? moving.to : (photo.focus ?? middleOf(faces));
  const candle = moving?.which === 'candle' ? moving.to : moves.candle;
  const set = (which: 'focus' | 'candle', to: PlaceForm) => {
    setMoving(undefined);
    void save(which === 'focus' ? { focus: to } : { moves: { ...moves, candle: to } });
  };
  const warnings = [
    ...hints.map((it) => it.words),
    ...(moves.living && seen && faces.length === 0
      ? ['We found no face in this photo, so nobody can breathe or look up in it. It will move in another way.']
      : []),
    ...(seen && seen.sharpness < 0.15 ? ['This photo looks blurred. Is there a sharper one of that moment?'] : []),
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
          onSet={set}
        />
        <p className="mt-2 text-[0.9375rem] text-muted" role="status">
          {photo.focus
            ? 'The video goes to your point.'
            : isLoading
              ? 'Looking for faces...'
              : faces.length > 0
                ? 'The video goes to the faces we found. Drag the point to go elsewhere.'
                : 'Drag the point to where the eye should go.'}
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
        <MotionPreview photo={photo} focus={focus} hasFaces={faces.length > 0} title={isTitled ? title : undefined} />
        <Caption photo={photo} caption={caption} onType={setCaption} save={save} />
        <Checkbox
          label="Write the title on the film"
          hint={
            title !== undefined
              ? 'In a quiet corner, never over a face we found. It comes and goes softly.'
              : caption.trim() === ''
                ? 'Give it a title first.'
                : 'We can write Latin letters only, so this title stays off the film.'
          }
          disabled={title === undefined}
          checked={isTitled}
          onChange={(event) => void save({ isTitled: event.currentTarget.checked })}
        />
        <Field label="May people breathe and look?" optional hint="Perhaps not for someone who has died.">
          {(tied) => (
            <Select
              {...tied}
              value={moves.living === null ? 'any' : moves.living ? 'yes' : 'no'}
              onChange={(event) => {
                const { value } = event.currentTarget;
                void save({ moves: { ...moves, living: value === 'any' ? null : value === 'yes' } });
              }}
            >
              <option value="any">Choose for me</option>
              <option value="yes">Yes, let them come alive</option>
              <option value="no">No, keep them still</option>
            </Select>
          )}
        </Field>
        <Checkbox
          label="This is water: let it ripple"
          hint={seen?.hasWater ? 'We think that we see water here.' : undefined}
          checked={moves.water}
          onChange={(event) => void save({ moves: { ...moves, water: event.currentTarget.checked } })}
        />
        <Checkbox
          label="There is a candle or a lamp: let it glow"
          hint={moves.candle ? 'Tap it in the photo, or drag the flame there.' : undefined}
          checked={moves.candle !== null}
          onChange={(event) => {
            const isThere = event.currentTarget.checked;
            setActive(isThere ? 'candle' : 'focus');
            void save({ moves: { ...moves, candle: isThere ? (seen?.glows[0] ?? focus) : null } });
          }}
        />
      </div>
    </div>
  );
}

type Save = (said: PhotoForm) => Promise<void>;

interface CaptionProps {
  photo: UploadView;
  caption: string;
  onType: (caption: string) => void;
  save: Save;
}
function Caption({ photo, caption, onType, save }: CaptionProps) {
  const keep = () => {
    if (caption.trim() !== (photo.caption ?? '')) void save({ caption });
  };
  const latest = useRef(keep);
  useEffect(() => {
    latest.current = keep;
  });
  // Escape, and a tap beside it on a phone, take the field away before it has lost the focus.
  useEffect(() => () => latest.current(), []);
  return (
    <Field label="Title of its video" optional>
      {(tied) => (
        <TextInput
          {...tied}
          value={caption}
          maxLength={limits.captionCharacters}
          placeholder="Grandpa's boat, summer 1962"
          onChange={(event) => onType(event.currentTarget.value)}
          onBlur={keep}
          onKeyDown={({ key, nativeEvent }) => key === 'Enter' && !nativeEvent.isComposing && keep()}
        />
      )}
    </Field>
  );
}

/**
 * What was said is shown at once, and taken back where the shop does not take it. One call goes after the other, so that
 * what was said last is what stays.
 */
function useSaving(photo: UploadView): Save {
  const queryClient = useQueryClient();
  const noteEnd = useSessionEnd();
  const showLimits = useShowLimits();
  const line = useRef(Promise.resolve());
  const waiting = useRef(0);
  const { queryKey } = limitsQuery();
  return ({ caption, ...said }) => {
    const words = caption === undefined ? {} : { caption };
    const shown = { ...said, ...(caption !== undefined && { caption: caption.trim() || null }) };
    showLimits((limits) => withDescribed(limits, photo.id, shown as Partial<UploadView>));
    waiting.current++;
    line.current = line.current.then(async () => {
      try {
        await send('PUT /api/uploads/:id', { params: { id: photo.id }, body: { ...said, ...words } });
      } catch (error) {
        toast({ title: 'Not saved', description: errorWords(error), destructive: true });
        noteEnd(error);
      }
      // What was asked before the last of them did not know it.
      if (--waiting.current === 0) void queryClient.invalidateQueries({ queryKey });
    });
    return line.current;
  };
}

/** Of all faces together, else a little above the middle of the photo. */
function middleOf(faces: readonly { left: number; top: number; width: number; height: number }[]): PlaceForm {
  if (faces.length === 0) return { x: 0.5, y: 0.45 };
  const [left, top] = [Math.min(...faces.map((it) => it.left)), Math.min(...faces.map((it) => it.top))];
  const right = Math.max(...faces.map((it) => it.left + it.width));
  const bottom = Math.max(...faces.map((it) => it.top + it.height));
  return { x: within((left + right) / 2), y: within((top + bottom) / 2) };
}
const within = (value: number) => Math.min(1, Math.max(0, value));
