import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Loads the canvas library on first use. Most videos do not need it, and loading takes 2% of a video's rendering time.
 */
export const loadCanvasLibrary = () => require('@napi-rs/canvas') as typeof import('@napi-rs/canvas');
