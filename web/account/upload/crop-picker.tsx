import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { turnedSize } from '#contract/crop.ts';
import type { UploadView } from '#contract/frames.ts';
import { limits } from '#contract/limits.ts';
import type { AreaForm } from '#contract/photo-forms.ts';
import { corners, moveCropArea, positionOfCorner, resizeCropArea, type Corner } from './crop-area.ts';

interface Props {
  photo: UploadView;
  quarterTurns: number;
  area: AreaForm;
  /** `onMove` is called during a drag, `onSet` at its end. */
  onMove: (area: AreaForm) => void;
  onSet: (area: AreaForm) => void;
}

const keyStep = 0.02;
const steps: Record<string, readonly [number, number]> = {
  ArrowLeft: [-keyStep, 0],
  ArrowRight: [keyStep, 0],
  ArrowUp: [0, -keyStep],
  ArrowDown: [0, keyStep],
};
const percentOf = (part: number) => `${part * 100}%`;

/**
 * A photo with a crop area. The area and its corners can be dragged or moved with the arrow keys. The photo is turned
 * with CSS; the server turns the copies.
 */
export function CropPicker({ photo, quarterTurns, area, onMove, onSet }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const drag = useRef<{ from: { x: number; y: number }; area: AreaForm; latest: AreaForm }>(undefined);
  const { width, height } = turnedSize(photo.whole, quarterTurns);
  const isOnItsSide = quarterTurns % 2 === 1;
  const leastSize = {
    width: Math.min(1, Math.max(limits.cropLeastPart, limits.photoLeastPixels / width)),
    height: Math.min(1, Math.max(limits.cropLeastPart, limits.photoLeastPixels / height)),
  };
  const positionOf = (event: PointerEvent) => {
    const { left, top, width: across, height: down } = box.current!.getBoundingClientRect();
    return { x: (event.clientX - left) / across, y: (event.clientY - top) / down };
  };
  /** `change` returns the area after a move of the pointer or the keys by x and y. */
  const createPointerHandlers = (change: (from: AreaForm, x: number, y: number) => AreaForm) => ({
    onPointerDown: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { from: positionOf(event), area, latest: area };
    },
    onPointerMove: (event: PointerEvent) => {
      if (!drag.current) return;
      const { from, area: before } = drag.current;
      const { x, y } = positionOf(event);
      drag.current.latest = change(before, x - from.x, y - from.y);
      onMove(drag.current.latest);
    },
    onPointerUp: () => {
      if (drag.current) onSet(drag.current.latest);
      drag.current = undefined;
    },
    onPointerCancel: () => {
      if (drag.current) onSet(drag.current.area);
      drag.current = undefined;
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault();
      onSet(change(area, step[0], step[1]));
    },
  });
  const resize = (corner: Corner) => (from: AreaForm, x: number, y: number) => {
    const position = positionOfCorner(from, corner);
    return resizeCropArea(from, corner, { x: position.x + x, y: position.y + y }, leastSize);
  };
  const sizeText = `${Math.round(area.width * 100)}% of the width, ${Math.round(area.height * 100)}% of the height`;
  return (
    <div
      ref={box}
      className="relative mx-auto mt-6 select-none"
      style={{ aspectRatio: `${width} / ${height}`, width: `min(100%, ${(46 * width) / height}dvh)` }}
    >
      <div className="absolute inset-0 overflow-hidden rounded-lg bg-clay">
        <img
          src={photo.whole.url}
          alt={photo.originalFileName}
          draggable={false}
          className="absolute top-1/2 left-1/2 max-w-none -translate-1/2"
          style={{
            width: percentOf(isOnItsSide ? height / width : 1),
            height: percentOf(isOnItsSide ? width / height : 1),
            rotate: `${quarterTurns * 90}deg`,
          }}
        />
        <div
          aria-hidden
          className="absolute border-2 border-white shadow-[0_0_0_200vmax_rgb(0_0_0/0.55)]"
          style={boxStyleOf(area)}
        />
      </div>
      <button
        type="button"
        aria-label={`Crop: ${sizeText}. Arrow keys move it.`}
        style={boxStyleOf(area)}
        className="absolute cursor-move touch-none"
        {...createPointerHandlers(moveCropArea)}
      />
      {corners.map((corner) => {
        const position = positionOfCorner(area, corner);
        return (
          <button
            key={corner.words}
            type="button"
            aria-label={`${corner.words} corner of the crop. Arrow keys move it.`}
            style={{ left: percentOf(position.x), top: percentOf(position.y) }}
            className="absolute grid size-11 -translate-1/2 cursor-grab touch-none place-items-center rounded-full focus-visible:rounded-full"
            {...createPointerHandlers(resize(corner))}
          >
            <span aria-hidden className="size-6 rounded-full border-2 border-white bg-accent shadow-lifted" />
          </button>
        );
      })}
    </div>
  );
}

const boxStyleOf = ({ left, top, width, height }: AreaForm) => ({
  left: percentOf(left),
  top: percentOf(top),
  width: percentOf(width),
  height: percentOf(height),
});
