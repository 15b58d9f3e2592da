import type { Content, ContentSection } from '#contract/content.ts';
import { historyVersions, type WithHistory } from '#contract/owner/content.ts';
import type { Db } from '../ports/database.ts';
import type { Storage } from '../ports/storage.ts';
import { lastActs } from '../audit/audit.ts';
import { trashed } from '../files/files.ts';
import { contentFileKey, contentFilesIn, contentFileUrl } from './content-files.ts';
import { editAct, readContent, versionOf } from './content.ts';
import { readSaved } from './saved.ts';

interface Version {
  id: string;
  /** When it was saved; null for what stood before anything was. */
  at: Date | null;
  /** As this release reads it; null where it cannot. */
  value: unknown;
  /** It is what visitors read now. */
  isNow: boolean;
  /** Addresses in it of pictures and films that the shop no longer has. */
  gone: string[];
}

/**
 * What a section, or a part of the about page, has been, newest first: the audit trail keeps both sides of each edit.
 * `now` is read first, so that `version` never is of anything newer than what the versions are compared with.
 */
export async function readHistory({ db, storage }: { db: Db; storage: Storage }, of: WithHistory) {
  const [section, part] = of.split('/') as [ContentSection, string | undefined];
  const partOf = (whole: unknown): unknown =>
    part === undefined ? whole : ((whole as Content<'about'>).find((it) => it.section === part) ?? null);
  const now = partOf(await readContent(db, section));
  const path = part && `$[*] ? (@.section == "${part}")`;
  const acts = await lastActs(db, { act: editAct, subjectId: section, part: path }, historyVersions);
  const first = acts.length < historyVersions ? acts.at(-1) : undefined;
  const saved = [
    ...acts.map(({ id, after, at }) => ({ id, at, whole: after })),
    ...(first ? [{ id: 'first', at: null, whole: first.before }] : []),
  ];
  const read = saved.map(({ id, at, whole }): Omit<Version, 'gone'> => {
    const opened = readSaved(section, whole);
    const value = opened.success ? partOf(opened.data) : null;
    return { id, at, value, isNow: versionOf(value) === versionOf(now) };
  });
  const gone = await filesGone(
    storage,
    read.flatMap(({ value }) => contentFilesIn(value)),
  );
  const versions = read.map((it): Version => {
    const missing = new Set(contentFilesIn(it.value).filter((filename) => gone.has(filename)));
    return { ...it, gone: [...missing].map(contentFileUrl) };
  });
  return { version: versionOf(now), now, versions };
}

/** What is in the trash is brought back as soon as content names it again. */
async function filesGone(storage: Storage, filenames: string[]): Promise<Set<string>> {
  const gone = new Set<string>();
  for (const filename of new Set(filenames)) {
    const key = contentFileKey(filename);
    if (!((await storage.stat(key)) ?? (await storage.stat(trashed(key))))) gone.add(filename);
  }
  return gone;
}
