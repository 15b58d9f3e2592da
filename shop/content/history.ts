import type { Content, ContentSection } from '#contract/content.ts';
import { maxHistoryVersions, type VersionedContent } from '#contract/owner/content.ts';
import type { Db } from '../ports/database.ts';
import type { Storage } from '../ports/storage.ts';
import { readLastAuditEntries } from '../audit/audit.ts';
import { trashKeyFor } from '../files/files.ts';
import { contentFileKey, findContentFilesIn, contentFileUrl } from './content-files.ts';
import { contentEditAction, readContent, hashContentVersion } from './content.ts';
import { parseSavedSection } from './saved.ts';

interface Version {
  id: string;
  /** When the version was saved; null for the value before the first edit. */
  at: Date | null;
  /** The value as this release reads it; null if this release cannot read it. */
  value: unknown;
  /** Whether it is the current version, which visitors see. */
  isNow: boolean;
  /** Addresses of pictures and videos in this version that the shop no longer stores. */
  gone: string[];
}

/**
 * The versions of a section, or of a part of the about page, newest first. They come from the audit trail, which stores
 * the values before and after each edit. The current value `now` is read before the audit trail, so that the list
 * contains every edit up to `now`.
 */
export async function readHistory({ db, storage }: { db: Db; storage: Storage }, of: VersionedContent) {
  const [section, part] = of.split('/') as [ContentSection, string | undefined];
  const extractPart = (whole: unknown): unknown =>
    part === undefined ? whole : ((whole as Content<'about'>).find((it) => it.section === part) ?? null);
  const currentValue = extractPart(await readContent(db, section));
  const path = part && `$[*] ? (@.section == "${part}")`;
  const editEntries = await readLastAuditEntries(
    db,
    { act: contentEditAction, subjectId: section, part: path },
    maxHistoryVersions,
  );
  const firstEntry = editEntries.length < maxHistoryVersions ? editEntries.at(-1) : undefined;
  const savedVersions = [
    ...editEntries.map(({ id, after, at }) => ({ id, at, whole: after })),
    ...(firstEntry ? [{ id: 'first', at: null, whole: firstEntry.before }] : []),
  ];
  const readableVersions = savedVersions.map(({ id, at, whole }): Omit<Version, 'gone'> => {
    const openedSavedSection = parseSavedSection(section, whole);
    const value = openedSavedSection.success ? extractPart(openedSavedSection.data) : null;
    return { id, at, value, isNow: hashContentVersion(value) === hashContentVersion(currentValue) };
  });
  const missingFilenames = await findMissingFiles(
    storage,
    readableVersions.flatMap(({ value }) => findContentFilesIn(value)),
  );
  const versions = readableVersions.map((it): Version => {
    const missingFilesOfVersion = new Set(
      findContentFilesIn(it.value).filter((filename) => missingFilenames.has(filename)),
    );
    return { ...it, gone: [...missingFilesOfVersion].map(contentFileUrl) };
  });
  return { version: hashContentVersion(currentValue), now: currentValue, versions };
}

/**
 * The files that are missing. A file in the trash counts as present: the sweep restores it when content names it again.
 */
async function findMissingFiles(storage: Storage, filenames: string[]): Promise<Set<string>> {
  const missingFilenames = new Set<string>();
  for (const filename of new Set(filenames)) {
    const key = contentFileKey(filename);
    if (!((await storage.stat(key)) ?? (await storage.stat(trashKeyFor(key))))) missingFilenames.add(filename);
  }
  return missingFilenames;
}
