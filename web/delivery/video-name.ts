/** A video's accessible name. `index` is its index on the page, from 0. */
export const videoName = ({ caption }: { caption: string | null }, index: number): string =>
  caption ?? `Video ${index + 1}`;
