/** A film that no page can show: no film, or one that browsers cannot play. */
export class UnusableFilm extends Error {
  override name = 'UnusableFilm';
}

export const filmTypes = { mp4: 'video/mp4', webm: 'video/webm' } as const;
export interface PageFilm {
  path: string;
  /** How it is packed: a MOV becomes an MP4. */
  extension: keyof typeof filmTypes;
}

/** The owner's films for pages. */
export interface PageFilms {
  /** Whether the bytes begin as an MP4, MOV or WebM does. */
  isFilm(path: string): Promise<boolean>;
  /**
   * Pack a film anew into `folder`: its pictures alone, without sound and without what its camera wrote beside them (where,
   * when, with what), so that it plays while it loads. Rejects with UnusableFilm.
   */
  pack(path: string, folder: string): Promise<PageFilm>;
}
