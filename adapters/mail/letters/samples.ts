/** One or more sample emails of every kind, for tests and the preview. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LetterPicture } from '#shop/ports/mailer.ts';
import type { LetterContent, LetterKind } from '#contract/letters.ts';
import { samplesAboutAccounts } from './samples-about-accounts.ts';
import { samplesAboutOrders } from './samples-about-orders.ts';
import { samplesAboutPhotos } from './samples-about-photos.ts';
import { samplesToOwner } from './samples-to-owner.ts';

export const letterSamples = [...samplesAboutOrders, ...samplesAboutPhotos, ...samplesAboutAccounts, ...samplesToOwner];

/** Reads the posters of a sample email from the pictures of the website's gallery. */
export const samplePosters = (publicFolder: string, { posters = [] }: { posters?: string[] }): LetterPicture[] =>
  posters.map((name, at) => ({
    name: `poster-${at + 1}.jpg`,
    contentType: 'image/jpeg',
    bytes: readFileSync(join(publicFolder, `media/gallery/${name}-1200.jpg`)),
    alt: name,
  }));

/** Returns the first sample email of a kind. */
export function sampleOf<K extends LetterKind>(kind: K): Extract<LetterContent, { kind: K }> {
  const sample = letterSamples.find(({ letter }) => letter.kind === kind)?.letter;
  if (!sample) throw new Error(`no sample of ${kind}`);
  return sample as Extract<LetterContent, { kind: K }>;
}
