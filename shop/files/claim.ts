import { text } from 'node:stream/consumers';
import type { Db } from '../ports/database.ts';
import { StorageMissing, type Storage } from '../ports/storage.ts';
import { newId } from '../columns.ts';
import type { NamedFiles } from './files.ts';
import { fileStore } from './files.sql.ts';

export interface StoreScope {
  db: Db;
  storage: Storage;
  /** The stored files of every module. */
  fileSources: readonly NamedFiles[];
}

/** The file that contains the shop's id. It is outside every folder, so that no sweep finds it. */
export const shopIdFileKey = 'shop-id.txt';
/**
 * The file that names the backup that is being restored into this store. If the restore is killed, it must be continued
 * with the same backup.
 */
export const restoreMarkerFileKey = 'restoring.txt';
/** How many rows of each module are checked in a store without an id. */
const sampleRows = 20;

/** The store belongs to another shop, so its files must not be touched. */
export class StoreOfOtherShop extends Error {
  override name = 'StoreOfOtherShop';
}

/**
 * Make sure that this database and this store belong together, before any file is stored or swept. A store without an
 * id gets this shop's id. If the store belongs to another shop, rejects with StoreOfOtherShop and changes nothing.
 */
export async function claimStore(scope: StoreScope): Promise<void> {
  if (await isClaimed(scope)) return;
  const { db, storage } = scope;
  await storage.put(shopIdFileKey, Buffer.from(await readShopId(db)), 'text/plain');
  // Check again: two databases may write their ids into a new store at the same time. The one whose id was overwritten
  // then fails here, or at the latest before it sweeps.
  await isClaimed(scope);
}

/**
 * Whether the store has this shop's id. False if the store has no id and this shop may write its id. Rejects with
 * StoreOfOtherShop if the store belongs to another shop.
 */
export async function isClaimed(scope: StoreScope): Promise<boolean> {
  const { db, storage } = scope;
  const shopId = await readShopId(db);
  const storedShopId = (await readStoredText(storage, shopIdFileKey))?.trim();
  if (storedShopId === shopId) return true;
  const [storeLabel, settings] = storage.kind === 's3' ? ['bucket', 'S3_BUCKET'] : ['folder of files', 'DATA_DIR'];
  const refuseStore = (why: string): never => {
    throw new StoreOfOtherShop(
      `This ${storeLabel} ${why} Nothing was changed. Check DATABASE_URL and ${settings}. ` +
        `If the two do belong together, put a file ${shopIdFileKey} that holds ${shopId} into the ${storeLabel}, and start again.`,
    );
  };
  if (storedShopId !== undefined)
    return refuseStore(`belongs to another shop's database: to shop ${storedShopId}, and this is shop ${shopId}.`);
  if ((await readStoredText(storage, restoreMarkerFileKey)) !== undefined)
    throw new StoreOfOtherShop(
      `This ${storeLabel} holds part of a backup, whose restore did not finish. Nothing was changed. ` +
        `Restore that backup again, or empty the ${storeLabel}.`,
    );
  // A store without an id is new, or an older release without ids has filled it. Compare its files with the database.
  const sampleKeys = await sampleFileKeys(scope, sampleRows);
  if (sampleKeys.length === 0 && (await hasFiles(scope)))
    return refuseStore(`belongs to another shop's database: it holds files, and this one names none.`);
  if (sampleKeys.length > 0 && !(await isAnyStored(storage, sampleKeys)))
    return refuseStore(`is not the one of this shop's database, whose files are not in it.`);
  return false;
}

/** The shop's id, created on the first call. If processes start at the same time, the first id stays. */
async function readShopId(db: Db): Promise<string> {
  await db.insert(fileStore).values({ shopId: newId() }).onConflictDoNothing();
  const [row] = await db.select().from(fileStore);
  return row!.shopId;
}

/** The text of a small file in the store; undefined if it does not exist. */
export async function readStoredText(storage: Storage, key: string): Promise<string | undefined> {
  try {
    return await text(await storage.read(key));
  } catch (error) {
    if (error instanceof StorageMissing) return undefined;
    throw error;
  }
}

/** File keys of a sample of rows of each module. File names are random, so a random start gives a random sample. */
export async function sampleFileKeys(
  { db, fileSources }: Pick<StoreScope, 'db' | 'fileSources'>,
  rows: number,
): Promise<string[]> {
  const keys = new Set<string>();
  for (const source of fileSources) {
    const foundKeys = await source.listNamedFrom(db, newId(), rows);
    if (foundKeys.length < rows) foundKeys.push(...(await source.listNamedFrom(db, '', rows)));
    for (const key of foundKeys) keys.add(key);
  }
  return [...keys];
}

async function isAnyStored(storage: Storage, keys: string[]): Promise<boolean> {
  for (const key of keys) if (await storage.stat(key)) return true;
  return false;
}

async function hasFiles({ storage, fileSources }: StoreScope): Promise<boolean> {
  for (const folder of fileSources.flatMap((source) => source.folders))
    for await (const _ of storage.list(folder)) return true;
  return false;
}
