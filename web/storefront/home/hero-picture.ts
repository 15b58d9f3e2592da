import { isVideo } from '../../media.ts';

/**
 * The hero's picture, which is preloaded (routes/index.tsx). On wide screens it covers an area at least 44rem tall next
 * to the text; on phones the area is taller than the picture.
 */
export const heroPicture = {
  src: 'hero/home',
  sizes: '(min-width: 64rem) max(100vw, 78rem), (min-width: 40rem) 100vw, 134vw',
};

/** The hero's still picture: the owner's picture, or the built-in one. Videos play on top of the built-in picture. */
export const chooseHeroStillPicture = (background = '') =>
  background === '' || isVideo(background) ? heroPicture : { ...heroPicture, src: background };
