import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The canvas, loaded once something is drawn by it: most films need none, and loading takes a fiftieth of their time. */
export const openCanvas = () => require('@napi-rs/canvas') as typeof import('@napi-rs/canvas');
