import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { pricesInCents } from '#contract/catalog.ts';
import type { Content, ContentSection } from '#contract/content.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { content } from './content.sql.ts';
import { defaultContent } from './defaults.ts';
import { parseSavedSection } from './saved.ts';

/** The channel that notifies every process when a section or a review changes, so that pages are rendered again. */
const contentChannel = 'content';

/** A section as the owner saved it, else the built-in default. Prices always come from the price book. */
export async function readContent<S extends ContentSection>(db: Db, section: S): Promise<Content<S>> {
  return (await readContentWithProblem(db, section)).value;
}

/**
 * Like `readContent`, but also returns `problem` if this release cannot read the saved value. The value is then the
 * built-in default.
 */
export async function readContentWithProblem<S extends ContentSection>(
  db: Db,
  section: S,
): Promise<{ value: Content<S>; problem?: UnreadableSection }> {
  const [row] = await db.select().from(content).where(eq(content.section, section));
  const savedContent = row && parseSavedSection(section, row.value);
  const value = savedContent?.success ? savedContent.data : defaultContent[section];
  return {
    value: section === 'products' ? (addPrices(value as Content<'products'>) as Content<S>) : value,
    ...(savedContent?.success === false && {
      problem: { section, savedAt: row!.updatedAt, words: savedContent.words },
    }),
  };
}
export interface UnreadableSection {
  section: ContentSection;
  savedAt: Date;
  words: string;
}

/** Identifies the version of a section, or of a part of one, that a form was loaded with. */
export const hashContentVersion = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);

export type ReadContent = <S extends ContentSection>(section: S) => Promise<Content<S>>;
type SubscribeToContent = (channel: string, listener: () => void, onGap: () => void) => Promise<unknown>;

/** Notifies listeners that cache something derived from content. */
export interface ContentChanges {
  onChange(listener: () => void): void;
  /**
   * Notify the listeners of this process at once. Without it, the next response could still show the old content,
   * because the notification from the database arrives later.
   */
  changed(): void;
}

/** Subscribe to content changes by any process. Notifications of the database may arrive late. */
export async function subscribeToContent(listen: SubscribeToContent): Promise<ContentChanges> {
  const listeners: (() => void)[] = [];
  const callListeners = () => listeners.forEach((listener) => listener());
  await listen(contentChannel, callListeners, callListeners);
  return { onChange: (listener) => void listeners.push(listener), changed: callListeners };
}

/** Cached content expires after this time. This limits how long it is stale if a notification is lost. */
const cacheLifetimeMs = 60_000;

/**
 * `readContent` with a cache, because every page reads several sections. A change of content by any process clears it.
 * If the database is not available, an expired value is still used.
 *
 * @param report called with a section that cannot be read, each time it is read from the database
 */
export function cacheContent(
  db: Db,
  clock: Clock,
  news: Pick<ContentChanges, 'onChange'>,
  report: (problem: UnreadableSection) => void = () => {},
): ReadContent {
  const sections = new Map<ContentSection, { value: Promise<unknown>; readAt: number }>();
  news.onChange(() => sections.clear());
  return <S extends ContentSection>(section: S) => {
    const now = clock.now().getTime();
    const existingSection = sections.get(section);
    if (existingSection && now - existingSection.readAt < cacheLifetimeMs)
      return existingSection.value as Promise<Content<S>>;
    const value = readContentWithProblem(db, section).then(
      (opened) => {
        if (opened.problem) report(opened.problem);
        return opened.value;
      },
      (error: unknown) => {
        if (existingSection) return existingSection.value as Promise<Content<S>>;
        throw error;
      },
    );
    const cachedSection = { value, readAt: now };
    sections.set(section, cachedSection);
    value.catch(() => sections.get(section) === cachedSection && sections.delete(section));
    return value;
  };
}

const pricesInDollars: Record<string, number> = {
  kinframe: pricesInCents.kinframe / 100,
  'photo2video-10': pricesInCents.extraPackage / 100,
  byof: pricesInCents.byof / 100,
};
const addPrices = (products: Content<'products'>) =>
  products.map((product) => ({ ...product, price: pricesInDollars[product.id] ?? product.price }));

/** Notify all processes of a change. Call it in the transaction that changes what public pages show. */
export const notifyOfContent = (tx: Db, what: string) => tx.execute(sql`select pg_notify(${contentChannel}, ${what})`);

export async function writeContent<S extends ContentSection>(
  db: Db,
  clock: Clock,
  section: S,
  value: Content<S>,
): Promise<void> {
  const row = { section, value, updatedAt: clock.now() };
  await db.transaction(async (tx) => {
    await tx.insert(content).values(row).onConflictDoUpdate({ target: content.section, set: row });
    await notifyOfContent(tx, section);
  });
}

interface Edit<S extends ContentSection> {
  change: (before: Content<S>) => Content<S>;
  /** The part of the section that is edited; default: all of it. */
  part?: (content: Content<S>) => unknown;
  /** The version of the edited part from which the edit started. If the part has changed since, nothing is written. */
  version?: string | undefined;
}

/** The name of an edit in the audit trail. Its subject is the section. */
export const contentEditAction = 'edit-content';

/**
 * Save the owner's edit of a section and store the values before and after in the audit trail.
 *
 * @throws Refusal `content-changed` if the edited part has changed since `version`
 */
export async function editContent<S extends ContentSection>(
  { db, clock, contentNews }: { db: Db; clock: Clock; contentNews: ContentChanges },
  section: S,
  { change, part = (whole) => whole, version }: Edit<S>,
  by: AuditAuthor,
): Promise<Content<S>> {
  const currentVersion = await db.transaction(async (tx) => {
    // Run simultaneous edits one after another. This needs an advisory lock: an unedited section has no row to lock.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`content ${section}`}))`);
    const { value: before, problem } = await readContentWithProblem(tx, section);
    const contentAfter = change(before);
    const currentPart = part(before);
    // The value is saved already: the form was sent again after a lost response, or nothing was edited.
    if (!problem && hashContentVersion(currentPart) === hashContentVersion(part(contentAfter))) return before;
    if (version !== undefined && version !== hashContentVersion(currentPart))
      throw Object.assign(new Refusal('content-changed'), {
        details: { yours: part(contentAfter), theirs: currentPart, version: hashContentVersion(currentPart) },
      });
    await writeContent(tx, clock, section, contentAfter);
    await recordAuditEntry(tx, clock, {
      act: contentEditAction,
      subjectId: section,
      before,
      after: contentAfter,
      ...by,
    });
    return contentAfter;
  });
  contentNews.changed();
  return currentVersion;
}
