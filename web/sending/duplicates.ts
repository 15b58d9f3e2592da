import type { UploadView } from '#contract/frames.ts';

export interface KnownPhotos {
  /** Photos that are already uploaded. */
  photos: readonly Pick<UploadView, 'sha256' | 'fileSize'>[];
  /** Files that are still uploading. */
  onTheirWay: readonly File[];
}

/** Returns the chosen files that are already uploaded, still uploading, or chosen twice. Compares bytes, not names. */
export async function findDuplicates(chosen: readonly File[], { photos, onTheirWay }: KnownPhotos): Promise<Set<File>> {
  // Only files of the same size can be equal, so hardly any file has to be read.
  const filesBySize = Map.groupBy(
    [...photos.map((it) => it.fileSize), ...[...onTheirWay, ...chosen].map((it) => it.size)],
    String,
  );
  const mayBeDuplicate = (file: File) => (filesBySize.get(String(file.size))?.length ?? 0) > 1;
  const knownHashes = new Set(photos.map((it) => it.sha256));
  for (const file of onTheirWay) if (mayBeDuplicate(file)) knownHashes.add(await hashSha256(file));
  const duplicates = new Set<File>();
  for (const file of chosen.filter(mayBeDuplicate)) {
    const hash = await hashSha256(file);
    if (knownHashes.has(hash)) duplicates.add(file);
    knownHashes.add(hash);
  }
  return duplicates;
}

async function hashSha256(file: File): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
