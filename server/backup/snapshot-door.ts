/**
 * The embedded database is open in one process alone. Where that is a shop that runs, it hands out its snapshot itself, at
 * a socket in its data folder: whoever may open that may read the database beside it, and nobody else can ask.
 */
import { createWriteStream, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { keepBackup } from '#shop/backups/backups.ts';
import type { Shop } from '../shop.ts';
import { writeArchive } from './archive.ts';
import { manifestName, namesName, tableName, takeSnapshot } from './snapshot.ts';
import { BackupRefused } from './words.ts';

const socketOf = (dataDir: string) => join(dataDir, 'snapshot.sock');

type Parts = Pick<Shop, 'clock' | 'config' | 'db' | 'log' | 'workFolder'>;

/** Answers how to close it. */
export async function openSnapshotDoor(shop: Parts): Promise<() => Promise<void>> {
  const path = socketOf(shop.config.dataDir);
  rmSync(path, { force: true }); // left by a process that was killed: the folder is ours alone
  const door = createServer((request, response) => {
    void (request.method === 'POST' ? hearOf(shop, request, response) : handOut(shop, response));
  });
  const mask = process.umask(0o177);
  try {
    door.listen(path);
  } finally {
    process.umask(mask);
  }
  try {
    await once(door, 'listening');
  } catch (error) {
    // A path too long for a socket, or a file system without them.
    shop.log.warn({ err: error }, 'a backup will need the shop stopped');
  }
  return async () => {
    door.close();
    door.closeAllConnections();
  };
}

async function handOut({ db, log, workFolder }: Parts, response: ServerResponse): Promise<void> {
  const folder = await mkdtemp(join(workFolder, 'snapshot-'));
  try {
    const { database, namesFiles } = await takeSnapshot(db, folder);
    const archive = writeArchive(join(folder, 'sums'));
    const sent = pipeline(archive.stream, response);
    sent.catch(() => {}); // heard below
    await archive.addFile(manifestName, join(folder, manifestName));
    if (namesFiles) await archive.addFile(namesName, join(folder, namesName));
    for (const { name } of database.tables) await archive.addFile(tableName(name), join(folder, tableName(name)));
    await archive.finish();
    await sent;
  } catch (error) {
    log.error({ err: error }, 'no snapshot for a backup');
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end(error instanceof Error ? error.message : String(error));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A backup of this shop is finished. */
async function hearOf(shop: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { takenAt, files, sizeBytes } = MadeNote.parse(await json(request));
    await keepBackup(shop, { takenAt: new Date(takenAt), files, sizeBytes });
    response.writeHead(204).end();
  } catch (error) {
    shop.log.error({ err: error }, 'a backup was made that is not written down');
    response.writeHead(500).end(error instanceof Error ? error.message : String(error));
  }
}
const MadeNote = z.object({ takenAt: z.iso.datetime(), files: z.int(), sizeBytes: z.int() });
export type MadeNote = z.infer<typeof MadeNote>;

/** Tell the shop that has this data folder open of a finished backup. */
export async function tellOfBackup(dataDir: string, made: MadeNote): Promise<void> {
  const answer = await ask(socketOf(dataDir), JSON.stringify(made));
  if (answer.statusCode !== 204) throw new Error(await text(answer));
  answer.resume();
}

/** The snapshot of the shop that has this data folder open, as an archive at `path`. */
export async function fetchSnapshot(dataDir: string, path: string): Promise<void> {
  const answer = await ask(socketOf(dataDir));
  if (answer.statusCode !== 200) throw new Error(`the running shop gave no snapshot: ${await text(answer)}`);
  await pipeline(answer, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
}

async function ask(socketPath: string, body?: string): Promise<IncomingMessage> {
  try {
    const asking = request({ socketPath, path: '/', method: body === undefined ? 'GET' : 'POST' }).end(body);
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    return answer;
  } catch (cause) {
    throw new BackupRefused(
      'Another process has the data folder open, and it is no shop that hands out its database. ' +
        'Stop it, or wait until it is up, and try again.',
      { cause },
    );
  }
}
