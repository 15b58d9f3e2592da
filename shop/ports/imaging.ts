import type { PhotoMime } from '#contract/photo-types.ts';
export type WhyUnusable =
  | 'not-a-photo'
  | 'damaged'
  | 'too-many-pixels'
  | 'side-too-long'
  | 'too-much-colour'
  | 'too-slow';
/** A refused photo: what is wrong with the bytes. The words are the contract's. */
export class UnusablePhoto extends Error {
  override name = 'UnusablePhoto';
  readonly reason: WhyUnusable;
  constructor(reason: WhyUnusable, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
export interface DevelopedPhoto {
  mime: PhotoMime;
  /** Size upright, in pixels of the original. */
  width: number;
  height: number;
  /** Local files in the given folder, all upright, sRGB and free of metadata. */
  displayPath: string;
  thumbnailPath: string;
}
export interface Imaging {
  /** Sniffed from the bytes; undefined when it is none of the seven photo types. */
  sniff(path: string): Promise<PhotoMime | undefined>;
  /**
   * Decode a photo in a child that can be killed (no network, empty environment, memory and time limits) and write its
   * display copy (JPEG, at most 2560 px) and thumbnail (WebP, 480 px) into `folder`. Rejects with UnusablePhoto.
   *
   * @param sender whose photo it is: one photo of each sender is decoded at a time, and senders take turns
   * @param turnCame called just before the photo is decoded; where it rejects, the photo is not
   */
  develop(path: string, folder: string, sender: string, turnCame?: () => Promise<void>): Promise<DevelopedPhoto>;
  /** What a QR code says in a display copy; undefined where none can be read. */
  readQr(displayPath: string): Promise<string | undefined>;
}
