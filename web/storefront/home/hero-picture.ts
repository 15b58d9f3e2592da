/** The picture of the opening, fetched before everything else (routes/index.tsx) and shown by the hero. */
export const heroPicture = { src: 'hero/home', sizes: '(min-width: 40rem) 100vw, 134vw' };
