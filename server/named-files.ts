import { contentFiles } from '#shop/content/content-files.ts';
import { qrPhotoFiles } from '#shop/frames/frames.ts';
import type { NamedFiles } from '#shop/files/files.ts';
import { labelNamedFiles } from '#shop/labels/label-files.ts';
import { pieceFiles } from '#shop/photos/arrivals.ts';
import { photoFiles } from '#shop/photos/photos.ts';
import { previewFiles } from '#shop/production/previews.ts';
import { ticketNamedFiles } from '#shop/support/ticket-messages.ts';
import { returnNamedFiles } from '#shop/returns/return-files.ts';
import { trialNamedFiles } from '#shop/trials/trials.ts';
import { videoFiles } from '#shop/production/production.ts';

/** Every module that stores files. Backups and the sweep ignore the files of a module that is missing here. */
export const namedFiles: readonly NamedFiles[] = [
  photoFiles,
  pieceFiles,
  videoFiles,
  previewFiles,
  trialNamedFiles,
  qrPhotoFiles,
  returnNamedFiles,
  labelNamedFiles,
  ticketNamedFiles,
  contentFiles,
];
