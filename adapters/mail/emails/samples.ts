/** One or more sample emails of every kind, for tests and the preview. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmailPicture } from '#shop/ports/mailer.ts';
import type { EmailContent, EmailKind } from '#contract/emails.ts';
import { samplesAboutAccounts } from './samples-about-accounts.ts';
import { samplesAboutOrders } from './samples-about-orders.ts';
import { samplesAboutPhotos } from './samples-about-photos.ts';
import { samplesToOwner } from './samples-to-owner.ts';

export const emailSamples = [...samplesAboutOrders, ...samplesAboutPhotos, ...samplesAboutAccounts, ...samplesToOwner];

/** Reads the posters of a sample email from the pictures of the website's gallery. */
export const samplePosters = (publicFolder: string, { posters = [] }: { posters?: string[] }): EmailPicture[] =>
  posters.map((name, at) => ({
    name: `poster-${at + 1}.jpg`,
    contentType: 'image/jpeg',
    bytes: readFileSync(join(publicFolder, `media/gallery/${name}-1200.jpg`)),
    alt: name,
  }));

/** Returns the first sample email of a kind. */
export function findSample<K extends EmailKind>(kind: K): Extract<EmailContent, { kind: K }> {
  const sample = emailSamples.find(({ content }) => content.kind === kind)?.content;
  if (!sample) throw new Error(`no sample of ${kind}`);
  return sample as Extract<EmailContent, { kind: K }>;
}
