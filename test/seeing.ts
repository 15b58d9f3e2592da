import type { Seeing, Seen } from '#shop/ports/seeing.ts';

/** Nothing to look with. */
export const blind: Seeing = {
  version: async () => undefined,
  look: async () => undefined,
  describe: async () => 'sees nothing',
};

/** A photo in which nothing was found, and whatever a test says was. */
export const seen = (more: Partial<Seen> = {}): Seen => ({
  version: 'test',
  width: 1600,
  height: 1000,
  faces: [],
  people: 0,
  glows: [],
  sharpness: 0.8,
  light: { mean: 0.45, dark: 0.02, burnt: 0.01, colour: 0.2 },
  ...more,
});
/** A face that may move, `height` tall, its middle at (x, y). */
export const face = (x: number, y: number, height = 0.2, more: Partial<Seen['faces'][number]> = {}) => ({
  left: x - 0.3 * height,
  top: y - height / 2,
  width: 0.6 * height,
  height,
  sure: 1,
  isMain: true,
  mayTurn: true,
  mayBlink: true,
  ...more,
});
