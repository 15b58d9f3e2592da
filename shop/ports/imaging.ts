import type { Crop } from '#contract/crop.ts';
import type { PhotoMime } from '#contract/photo-types.ts';
export type UnusablePhotoReason =
  | 'not-a-photo'
  | 'damaged'
  | 'too-many-pixels'
  | 'side-too-long'
  | 'too-much-colour'
  | 'too-slow';
/** A photo that cannot be used. The contract contains the texts that people read. */
export class UnusablePhoto extends Error {
  override name = 'UnusablePhoto';
  readonly reason: UnusablePhotoReason;
  constructor(reason: UnusablePhotoReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
/**
 * Motion that a photo's own file contains: a film after the picture (a motion photo), or the pictures of an animation.
 */
export type OwnMotion =
  | {
      kind: 'film';
      /** Where the film is in the file, in bytes. */
      offset: number;
      length: number;
      /** The moment of the film that the picture shows, in seconds. Absent if the file does not say. */
      stillAt?: number;
    }
  | { kind: 'animation' };
export interface DecodedPhoto {
  mime: PhotoMime;
  /** The size of the upright photo, in pixels of the original. */
  width: number;
  height: number;
  /** Differs in few bits from the hash of a similar picture. Undefined for a plain picture. */
  perceptualHash: string | undefined;
  /** Absent if the file contains none that can be used. */
  ownMotion?: OwnMotion | undefined;
  /** Local files in the given folder. All of them are upright, sRGB and without metadata. */
  displayPath: string;
  thumbnailPath: string;
  /** The display copy of the whole photo, upright and without its turn and crop; only if the photo was cropped. */
  wholePath?: string;
}
export interface Imaging {
  /** The type detected from the bytes; undefined if it is none of the accepted photo types. */
  sniff(path: string): Promise<PhotoMime | undefined>;
  /**
   * Decodes a photo in a child process that can be killed (no network, empty environment, memory and time limits) and
   * writes its display copy (JPEG, at most 2560 px) and thumbnail (WebP, 480 px) into `folder`. Rejects with
   * UnusablePhoto.
   *
   * @param sender the owner of the photo: one photo of each sender is decoded at a time, and senders take turns
   * @param onTurn called just before the photo is decoded; if it rejects, the photo is not decoded
   * @param crop how the display copy and the thumbnail are turned and cropped
   */
  develop(
    path: string,
    folder: string,
    sender: string,
    onTurn?: () => Promise<void>,
    crop?: Crop,
  ): Promise<DecodedPhoto>;
  /** The text of a QR code in a display copy; undefined if none can be read. */
  readQr(displayPath: string): Promise<string | undefined>;
}
