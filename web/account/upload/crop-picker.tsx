import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { turnSize } from '#contract/crop.ts';
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
const stepByKey: Record<string, readonly [number, number]> = {
  ArrowLeft: [-keyStep, 0],
  ArrowRight: [keyStep, 0],
  ArrowUp: [0, -keyStep],
  ArrowDown: [0, keyStep],
};
const toPercent = (part: number) => `${part * 100}%`;

/**
 * A photo with a crop area. The area and its corners can be dragged or moved with the arrow keys. The photo is turned
 * with CSS; the server turns the copies.
 */
export function CropPicker({ photo, quarterTurns, area, onMove, onSet }: Props) {
  const photoBoxRef = useRef<HTMLDivElement>(null);
  const dragRef = useRef<{ from: { x: number; y: number }; area: AreaForm; latest: AreaForm }>(undefined);
  const { width, height } = turnSize(photo.whole, quarterTurns);
  const isOnItsSide = quarterTurns % 2 === 1;
  const leastSize = {
    width: Math.min(1, Math.max(limits.cropLeastPart, limits.photoLeastPixels / width)),
    height: Math.min(1, Math.max(limits.cropLeastPart, limits.photoLeastPixels / height)),
  };
  const findPosition = (event: PointerEvent) => {
    const { left, top, width: across, height: down } = photoBoxRef.current!.getBoundingClientRect();
    return { x: (event.clientX - left) / across, y: (event.clientY - top) / down };
  };
  /** `change` returns the area after a move of the pointer or the keys by x and y. */
  const createPointerHandlers = (change: (from: AreaForm, x: number, y: number) => AreaForm) => ({
    onPointerDown: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      dragRef.current = { from: findPosition(event), area, latest: area };
    },
    onPointerMove: (event: PointerEvent) => {
      if (!dragRef.current) return;
      const { from, area: before } = dragRef.current;
      const { x, y } = findPosition(event);
      dragRef.current.latest = change(before, x - from.x, y - from.y);
      onMove(dragRef.current.latest);
    },
    onPointerUp: () => {
      if (dragRef.current) onSet(dragRef.current.latest);
      dragRef.current = undefined;
    },
    onPointerCancel: () => {
      if (dragRef.current) onSet(dragRef.current.area);
      dragRef.current = undefined;
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = stepByKey[event.key];
      if (!step) return;
      event.preventDefault();
      onSet(change(area, step[0], step[1]));
    },
  });
  const createResizer = (corner: Corner) => (from: AreaForm, x: number, y: number) => {
    const position = positionOfCorner(from, corner);
    return resizeCropArea(from, corner, { x: position.x + x, y: position.y + y }, leastSize);
  };
  const sizeText = `${Math.round(area.width * 100)}% of the width, ${Math.round(area.height * 100)}% of the height`;
  return (
    <div
      ref={photoBoxRef}
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
            width: toPercent(isOnItsSide ? height / width : 1),
            height: toPercent(isOnItsSide ? width / height : 1),
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
            style={{ left: toPercent(position.x), top: toPercent(position.y) }}
            className="absolute grid size-11 -translate-1/2 cursor-grab touch-none place-items-center rounded-full focus-visible:rounded-full"
            {...createPointerHandlers(createResizer(corner))}
          >
            <span aria-hidden className="size-6 rounded-full border-2 border-white bg-accent shadow-lifted" />
          </button>
        );
      })}
    </div>
  );
}

const boxStyleOf = ({ left, top, width, height }: AreaForm) => ({
  left: toPercent(left),
  top: toPercent(top),
  width: toPercent(width),
  height: toPercent(height),
});
