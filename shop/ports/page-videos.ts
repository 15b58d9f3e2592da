/** A file that pages cannot show: it is not a video, or browsers cannot play it. */
export class UnusableVideo extends Error {
  override name = 'UnusableVideo';
}

export const pageVideoTypes = { mp4: 'video/mp4', webm: 'video/webm' } as const;
export interface PageVideo {
  path: string;
  /** The container of the new file. A MOV becomes an MP4. */
  extension: keyof typeof pageVideoTypes;
}

/** The videos that the owner uploads for pages. */
export interface PageVideos {
  /** Whether the first bytes are those of an MP4, MOV or WebM file. */
  isFilm(path: string): Promise<boolean>;
  /**
   * Copies a video into a new file in `folder`, which can play while it loads. The new file contains only the video
   * stream. It has no sound and no camera metadata (place, time, camera model). Rejects with UnusableVideo.
   */
  convertToPageVideo(path: string, folder: string): Promise<PageVideo>;
}
