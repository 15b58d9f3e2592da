import { isVideo } from '../../media.ts';

/**
 * The picture of the opening, fetched before everything else (routes/index.tsx) and shown by the hero. It covers a place at
 * least 44rem tall beside the words, and a taller one than itself on phones.
 */
export const heroPicture = {
  src: 'hero/home',
  sizes: '(min-width: 64rem) max(100vw, 78rem), (min-width: 40rem) 100vw, 134vw',
};

/** What stands still in the hero: the owner's picture, else ours, over which a film may play. */
export const heroStill = (background = '') =>
  background === '' || isVideo(background) ? heroPicture : { ...heroPicture, src: background };
