import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { priceBook } from '#contract/catalog.ts';
import type { Content, ContentSection } from '#contract/content.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { recordAct } from '../audit/audit.ts';
import { content } from './content.sql.ts';
import { defaults } from './defaults.ts';
import { readSaved } from './saved.ts';

/** Told to every process when a section or a review changes, so that rendered pages are made anew. */
const contentChannel = 'content';

/** A section as the owner left it, else the built-in default. Prices always are the price book's. */
export async function readContent<S extends ContentSection>(db: Db, section: S): Promise<Content<S>> {
  return (await openSection(db, section)).value;
}

/** The same, and what is wrong with the saved form where this release cannot read it: then the built-in one stands in. */
export async function openSection<S extends ContentSection>(
  db: Db,
  section: S,
): Promise<{ value: Content<S>; problem?: Unreadable }> {
  const [row] = await db.select().from(content).where(eq(content.section, section));
  const saved = row && readSaved(section, row.value);
  const value = saved?.success ? saved.data : defaults[section];
  return {
    value: section === 'products' ? (priced(value as Content<'products'>) as Content<S>) : value,
    ...(saved?.success === false && { problem: { section, savedAt: row!.updatedAt, words: saved.words } }),
  };
}
export interface Unreadable {
  section: ContentSection;
  savedAt: Date;
  words: string;
}

/** Which version of a section, or of a part of one, somebody has before them. */
export const versionOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);

export type ReadContent = <S extends ContentSection>(section: S) => Promise<Content<S>>;
type Listen = (channel: string, hear: () => void, onGap: () => void) => Promise<unknown>;

/** Who keeps something made of content hears here that it changed. */
export interface ContentNews {
  onChange(hear: () => void): void;
  /** This process changed it: what it answers next is the change, however late the database tells of it. */
  changed(): void;
}

/** Changes of content by any process; the database's news come as soon as they can. */
export async function hearOfContent(listen: Listen): Promise<ContentNews> {
  const ears: (() => void)[] = [];
  const changed = () => ears.forEach((hear) => hear());
  await listen(contentChannel, changed, changed);
  return { onChange: (hear) => void ears.push(hear), changed };
}

/** Should the news of a change be lost, what is remembered is wrong for so long. */
const rememberedMs = 60_000;

/**
 * `readContent` with a memory, which any process's change of content clears: every page reads a dozen sections. What was
 * remembered is still good while the database cannot be asked.
 *
 * @param tell hears of a section that cannot be read, each time it is looked at
 */
export function rememberContent(
  db: Db,
  clock: Clock,
  news: Pick<ContentNews, 'onChange'>,
  tell: (problem: Unreadable) => void = () => {},
): ReadContent {
  const sections = new Map<ContentSection, { value: Promise<unknown>; readAt: number }>();
  news.onChange(() => sections.clear());
  return <S extends ContentSection>(section: S) => {
    const now = clock.now().getTime();
    const known = sections.get(section);
    if (known && now - known.readAt < rememberedMs) return known.value as Promise<Content<S>>;
    const value = openSection(db, section).then(
      (opened) => {
        if (opened.problem) tell(opened.problem);
        return opened.value;
      },
      (error: unknown) => {
        if (known) return known.value as Promise<Content<S>>;
        throw error;
      },
    );
    const remembered = { value, readAt: now };
    sections.set(section, remembered);
    value.catch(() => sections.get(section) === remembered && sections.delete(section));
    return value;
  };
}

const dollars: Record<string, number> = {
  kinframe: priceBook.kinframe / 100,
  'photo2video-10': priceBook.extraPackage / 100,
  byof: priceBook.byof / 100,
};
const priced = (products: Content<'products'>) =>
  products.map((product) => ({ ...product, price: dollars[product.id] ?? product.price }));

/** In the transaction that changes what public pages show. */
export const tellOfContent = (tx: Db, what: string) => tx.execute(sql`select pg_notify(${contentChannel}, ${what})`);

export async function writeContent<S extends ContentSection>(
  db: Db,
  clock: Clock,
  section: S,
  value: Content<S>,
): Promise<void> {
  const row = { section, value, updatedAt: clock.now() };
  await db.transaction(async (tx) => {
    await tx.insert(content).values(row).onConflictDoUpdate({ target: content.section, set: row });
    await tellOfContent(tx, section);
  });
}

interface Edit<S extends ContentSection> {
  change: (before: Content<S>) => Content<S>;
  /** What of the section is edited; all of it unless said. */
  part?: (content: Content<S>) => unknown;
  /** The version of that which the edit began from: where it is another by now, nothing is written. */
  version?: string | undefined;
}

/** How an edit is called in the audit trail, whose subject is the section. */
export const editAct = 'edit-content';

/** The owner's edit: the whole section, or what becomes of it, with what stood there before kept in the audit trail. */
export async function editContent<S extends ContentSection>(
  { db, clock, contentNews }: { db: Db; clock: Clock; contentNews: ContentNews },
  section: S,
  { change, part = (whole) => whole, version }: Edit<S>,
  requestId: string,
): Promise<Content<S>> {
  const stands = await db.transaction(async (tx) => {
    // Two edits at once, one after the other; a section nobody has edited yet has no row to hold.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`content ${section}`}))`);
    const { value: before, problem } = await openSection(tx, section);
    const after = change(before);
    const theirs = part(before);
    // Saved again, because an answer was lost or nothing was edited: it stands there already.
    if (!problem && versionOf(theirs) === versionOf(part(after))) return before;
    if (version !== undefined && version !== versionOf(theirs))
      throw Object.assign(new Refusal('content-changed'), {
        details: { yours: part(after), theirs, version: versionOf(theirs) },
      });
    await writeContent(tx, clock, section, after);
    await recordAct(tx, clock, { act: editAct, subjectId: section, before, after, requestId });
    return after;
  });
  contentNews.changed();
  return stands;
}
