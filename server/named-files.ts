import { contentFiles } from '#shop/content/content-files.ts';
import { qrPhotoFiles } from '#shop/frames/frames.ts';
import type { NamedFiles } from '#shop/files/files.ts';
import { pieceFiles } from '#shop/photos/arrivals.ts';
import { photoFiles } from '#shop/photos/photos.ts';
import { videoFiles } from '#shop/production/production.ts';

/** Every word that keeps files. One that is missing here loses them to the sweep. */
export const namedFiles: readonly NamedFiles[] = [photoFiles, pieceFiles, videoFiles, qrPhotoFiles, contentFiles];
