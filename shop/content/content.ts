import { eq, sql } from 'drizzle-orm';
import { priceBook } from '#contract/catalog.ts';
import type { Content, ContentSection } from '#contract/content.ts';
import type { Clock, Db } from '../ports.ts';
import { recordAct } from '../audit/audit.ts';
import { content } from './content.sql.ts';
import { defaults } from './defaults.ts';

/** Told to every process when a section changes, so that rendered pages are made anew. */
export const contentChannel = 'content';

/** A section as the owner left it, else the built-in default. Prices always are the price book's. */
export async function readContent<S extends ContentSection>(db: Db, section: S): Promise<Content<S>> {
  const [row] = await db.select({ value: content.value }).from(content).where(eq(content.section, section));
  const value = (row?.value ?? defaults[section]) as Content<S>;
  return section === 'products' ? (priced(value as Content<'products'>) as Content<S>) : value;
}

export type ReadContent = <S extends ContentSection>(section: S) => Promise<Content<S>>;
type Listen = (channel: string, hear: () => void, onGap: () => void) => Promise<unknown>;

/** `readContent` with a memory, which any process's change of content clears: every page reads a dozen sections. */
export async function rememberContent(db: Db, listen: Listen): Promise<ReadContent> {
  const sections = new Map<ContentSection, Promise<unknown>>();
  const forget = () => sections.clear();
  await listen(contentChannel, forget, forget);
  return <S extends ContentSection>(section: S) => {
    const known = sections.get(section);
    if (known) return known as Promise<Content<S>>;
    const read = readContent(db, section);
    sections.set(section, read);
    read.catch(() => sections.get(section) === read && sections.delete(section));
    return read;
  };
}

const dollars: Record<string, number> = {
  kinframe: priceBook.kinframe / 100,
  'photo2video-10': priceBook.extraPackage / 100,
  byof: priceBook.byof / 100,
};
const priced = (products: Content<'products'>) =>
  products.map((product) => ({ ...product, price: dollars[product.id] ?? product.price }));

export async function writeContent<S extends ContentSection>(
  db: Db,
  clock: Clock,
  section: S,
  value: Content<S>,
): Promise<void> {
  const row = { section, value, updatedAt: clock.now() };
  await db.transaction(async (tx) => {
    await tx.insert(content).values(row).onConflictDoUpdate({ target: content.section, set: row });
    await tx.execute(sql`select pg_notify(${contentChannel}, ${section})`);
  });
}

/** The owner's edit: the whole section, or what becomes of it, with what stood there before kept in the audit trail. */
export async function editContent<S extends ContentSection>(
  { db, clock }: { db: Db; clock: Clock },
  section: S,
  edit: (before: Content<S>) => Content<S>,
  requestId: string,
): Promise<Content<S>> {
  return db.transaction(async (tx) => {
    // Two edits at once, one after the other; a section nobody has edited yet has no row to hold.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`content ${section}`}))`);
    const before = await readContent(tx, section);
    const after = edit(before);
    await writeContent(tx, clock, section, after);
    await recordAct(tx, clock, { act: 'edit-content', subjectId: section, before, after, requestId });
    return after;
  });
}
