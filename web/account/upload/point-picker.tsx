import { Flame, ScanEye } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import type { UploadView } from '#contract/frames.ts';
import type { PhotoPositionForm } from '#contract/photo-forms.ts';
import { joinClassNames } from '../../ui/classes.ts';

type PickedPoint = 'focus' | 'candle';
interface Props {
  photo: UploadView;
  focus: PhotoPositionForm;
  candle: PhotoPositionForm | null;
  /** The point that moves to the place of a tap on the photo. */
  active: PickedPoint;
  onActive: (which: PickedPoint) => void;
  /** `onMove` is called during a drag, `onSet` at its end. */
  onMove: (which: PickedPoint, to: PhotoPositionForm) => void;
  onSet: (which: PickedPoint, to: PhotoPositionForm) => void;
}

const markers = {
  focus: { Icon: ScanEye, words: 'Focus point' },
  candle: { Icon: Flame, words: 'Candle or lamp' },
};
const keyStep = 0.02;
const clampToPercent = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;

/** A photo with two points (focus and candle). They can be dragged, set by a tap, or moved with the arrow keys. */
export function PointPicker({ photo, focus, candle, active, onActive, onMove, onSet }: Props) {
  const photoAreaRef = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<PickedPoint>();
  const findPosition = (event: MouseEvent): PhotoPositionForm => {
    const box = photoAreaRef.current!.getBoundingClientRect();
    return {
      x: clampToPercent((event.clientX - box.left) / box.width),
      y: clampToPercent((event.clientY - box.top) / box.height),
    };
  };
  const createKeyHandler = (which: PickedPoint, at: PhotoPositionForm) => (event: KeyboardEvent) => {
    const step = stepByKey[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation(); // otherwise the arrow keys would also open the next photo in the viewer
    onActive(which);
    onSet(which, { x: clampToPercent(at.x + step[0] * keyStep), y: clampToPercent(at.y + step[1] * keyStep) });
  };
  const points = { focus, candle };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- for pointers; the points have keys
    <div
      ref={photoAreaRef}
      className="relative mx-auto w-fit cursor-crosshair overflow-hidden rounded-lg bg-clay select-none"
      onClick={(event) => {
        if (!(event.target as Element).closest('[data-point]')) onSet(active, findPosition(event));
      }}
    >
      <img
        src={photo.url}
        width={photo.width}
        height={photo.height}
        alt={photo.originalFileName}
        draggable={false}
        className="h-auto max-h-[46dvh] w-auto object-contain"
      />
      {(['focus', 'candle'] as const).map((which) => {
        const point = points[which];
        const { Icon, words } = markers[which];
        return (
          point && (
            <button
              key={which}
              type="button"
              data-point={which}
              aria-label={`${words}: ${Math.round(point.x * 100)}% from the left, ${Math.round(point.y * 100)}% from the top. Arrow keys move it.`}
              onKeyDown={createKeyHandler(which, point)}
              onPointerDown={(event) => {
                onActive(which);
                setDragged(which);
                event.currentTarget.setPointerCapture(event.pointerId);
              }}
              onPointerMove={(event) => dragged === which && onMove(which, findPosition(event))}
              onPointerUp={(event) => {
                if (dragged === which) onSet(which, findPosition(event));
                setDragged(undefined);
              }}
              onPointerCancel={() => setDragged(undefined)}
              style={{ left: `${point.x * 100}%`, top: `${point.y * 100}%` }}
              className={joinClassNames(
                'absolute grid size-11 -translate-1/2 cursor-grab touch-none place-items-center rounded-full border-2 border-white text-white shadow-lifted focus-visible:rounded-full',
                which === active ? 'bg-accent' : 'bg-night/70',
              )}
            >
              <Icon aria-hidden className="size-6" />
            </button>
          )
        );
      })}
    </div>
  );
}

const stepByKey: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
