import type { PhotoAnalyzerPort, PhotoAnalysis } from '#shop/ports/photo-analyzer.ts';

/** An analyzer that sees nothing. */
export const emptyPhotoAnalyzer: PhotoAnalyzerPort = {
  version: async () => undefined,
  analyzePhoto: async () => undefined,
  describe: async () => 'sees nothing',
};

/** The analysis of a photo in which nothing was found, except what the test adds. */
export const createPhotoAnalysis = (more: Partial<PhotoAnalysis> = {}): PhotoAnalysis => ({
  version: 'test',
  width: 1600,
  height: 1000,
  faces: [],
  people: 0,
  glows: [],
  sharpness: 0.8,
  light: { mean: 0.45, dark: 0.02, burnt: 0.01, color: 0.2 },
  ...more,
});
/** A face that may move, with this height and its center at (x, y). */
export const createFaceAnalysis = (
  x: number,
  y: number,
  height = 0.2,
  more: Partial<PhotoAnalysis['faces'][number]> = {},
) => ({
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
