/** A video's accessible name. `place` is its index on the page, from 0. */
export const videoName = ({ caption }: { caption: string | null }, place: number): string =>
  caption ?? `Video ${place + 1}`;
