import type { AreaForm } from '#contract/photo-forms.ts';

export const corners = [
  { across: 'left', down: 'top', words: 'Top left' },
  { across: 'right', down: 'top', words: 'Top right' },
  { across: 'left', down: 'bottom', words: 'Bottom left' },
  { across: 'right', down: 'bottom', words: 'Bottom right' },
] as const;
export type Corner = (typeof corners)[number];

const roundToThousandth = (value: number) => Math.round(value * 1000) / 1000;
const clampBetween = (least: number, value: number, most: number) => Math.max(least, Math.min(value, most));

/** Moves an area without changing its size. It stays inside the photo. */
export const moveCropArea = (area: AreaForm, x: number, y: number): AreaForm => ({
  ...area,
  left: roundToThousandth(clampBetween(0, area.left + x, 1 - area.width)),
  top: roundToThousandth(clampBetween(0, area.top + y, 1 - area.height)),
});

/** The corner's position, as fractions of the photo. */
export const positionOfCorner = (area: AreaForm, { across, down }: Corner) => ({
  x: across === 'left' ? area.left : area.left + area.width,
  y: down === 'top' ? area.top : area.top + area.height,
});

/** Moves one corner of an area. The opposite corner stays, and the sides keep their least lengths. */
export function resizeCropArea(
  area: AreaForm,
  { across, down }: Corner,
  to: { x: number; y: number },
  least: { width: number; height: number },
): AreaForm {
  const [left, right] = moveEdge(area.left, area.width, across === 'left', to.x, least.width);
  const [top, bottom] = moveEdge(area.top, area.height, down === 'top', to.y, least.height);
  return { left, top, width: roundToThousandth(right - left), height: roundToThousandth(bottom - top) };
}

function moveEdge(start: number, length: number, isStartMoved: boolean, to: number, least: number): [number, number] {
  const endEdge = start + length;
  return isStartMoved
    ? [roundToThousandth(clampBetween(0, to, Math.max(0, endEdge - least))), roundToThousandth(endEdge)]
    : [roundToThousandth(start), roundToThousandth(clampBetween(Math.min(1, start + least), to, 1))];
}
