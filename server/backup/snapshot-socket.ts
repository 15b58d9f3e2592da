/**
 * Only one process can open the embedded database. A running shop therefore serves a snapshot of it to `npm run
 * backup`, at a Unix socket in its data folder. Only a user who can also read the database files may open the socket.
 */
import { createWriteStream, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { recordBackup } from '#shop/backups/backups.ts';
import { unlockOwner } from '../http/common/owner-attempts.ts';
import type { Shop } from '../shop.ts';
import { createArchiveWriter } from './archive.ts';
import { manifestName, namedFilesEntry, tableEntryOf, takeSnapshot } from './snapshot.ts';
import { BackupRefused } from './backup-refused.ts';

const unlockPath = '/unlock';
const getSnapshotSocketPath = (dataDir: string) => join(dataDir, 'snapshot.sock');

type SnapshotScope = Pick<Shop, 'clock' | 'config' | 'db' | 'log' | 'workFolder'>;

/** Starts to listen at the socket. Returns the function that closes it. */
export async function openSnapshotSocket(shop: SnapshotScope): Promise<() => Promise<void>> {
  const path = getSnapshotSocketPath(shop.config.dataDir);
  rmSync(path, { force: true }); // a killed process may have left it; no other running process uses this folder
  const socketServer = createServer((request, response) => {
    if (request.method !== 'POST') void sendSnapshot(shop, response);
    else if (request.url === unlockPath) void handleUnlockRequest(shop, response);
    else void handleFinishedBackup(shop, request, response);
  });
  const mask = process.umask(0o177);
  try {
    socketServer.listen(path);
  } finally {
    process.umask(mask);
  }
  try {
    await once(socketServer, 'listening');
  } catch (error) {
    // The path is too long for a socket, or the file system has no sockets.
    shop.log.warn({ err: error }, 'backups work only while the shop is stopped');
  }
  return async () => {
    socketServer.close();
    socketServer.closeAllConnections();
  };
}

async function sendSnapshot({ db, log, workFolder }: SnapshotScope, response: ServerResponse): Promise<void> {
  const folder = await mkdtemp(join(workFolder, 'snapshot-'));
  try {
    const { database, namesFiles } = await takeSnapshot(db, folder);
    const archive = createArchiveWriter(join(folder, 'sums'));
    const archiveSent = pipeline(archive.stream, response);
    archiveSent.catch(() => {}); // the error is handled where the promise is awaited below
    await archive.addFile(manifestName, join(folder, manifestName));
    if (namesFiles) await archive.addFile(namedFilesEntry, join(folder, namedFilesEntry));
    for (const { name } of database.tables) await archive.addFile(tableEntryOf(name), join(folder, tableEntryOf(name)));
    await archive.finish();
    await archiveSent;
  } catch (error) {
    log.error({ err: error }, 'no snapshot for a backup');
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end(error instanceof Error ? error.message : String(error));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Handles a request of `npm run unlock` on this machine. */
async function handleUnlockRequest({ db, clock, log }: SnapshotScope, response: ServerResponse): Promise<void> {
  try {
    await unlockOwner(db, clock);
    response.writeHead(204).end();
  } catch (error) {
    log.error({ err: error }, 'the owner could not be unlocked');
    response.writeHead(500).end(error instanceof Error ? error.message : String(error));
  }
}

/** Records a finished backup of this shop. */
async function handleFinishedBackup(
  shop: SnapshotScope,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const { takenAt, files, sizeBytes } = FinishedBackupNotice.parse(await json(request));
    await recordBackup(shop, { takenAt: new Date(takenAt), files, sizeBytes });
    response.writeHead(204).end();
  } catch (error) {
    shop.log.error({ err: error }, 'a finished backup could not be recorded');
    response.writeHead(500).end(error instanceof Error ? error.message : String(error));
  }
}
const FinishedBackupNotice = z.object({ takenAt: z.iso.datetime(), files: z.int(), sizeBytes: z.int() });
export type FinishedBackupNotice = z.infer<typeof FinishedBackupNotice>;

/** Report a finished backup to the shop that has this data folder open. */
export async function notifyOfBackup(dataDir: string, made: FinishedBackupNotice): Promise<void> {
  const socketResponse = await sendToSocket(getSnapshotSocketPath(dataDir), JSON.stringify(made));
  if (socketResponse.statusCode !== 204) throw new Error(await text(socketResponse));
  socketResponse.resume();
}

/** Make the shop that has this data folder open accept the owner's passwords and codes again. */
export async function requestUnlock(dataDir: string): Promise<void> {
  const answer = await sendToSocket(getSnapshotSocketPath(dataDir), '', unlockPath);
  if (answer.statusCode !== 204) throw new Error(await text(answer));
  answer.resume();
}

/** Save the snapshot of the shop that has this data folder open, as an archive at `path`. */
export async function fetchSnapshot(dataDir: string, path: string): Promise<void> {
  const answer = await sendToSocket(getSnapshotSocketPath(dataDir));
  if (answer.statusCode !== 200) throw new Error(`the running shop gave no snapshot: ${await text(answer)}`);
  await pipeline(answer, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
}

async function sendToSocket(socketPath: string, body?: string, path = '/'): Promise<IncomingMessage> {
  try {
    const socketRequest = request({ socketPath, path, method: body === undefined ? 'GET' : 'POST' }).end(body);
    const [answer] = (await once(socketRequest, 'response')) as [IncomingMessage];
    return answer;
  } catch (cause) {
    throw new BackupRefused(
      'Another process has the data folder open, and it does not answer like a running shop. ' +
        'Stop it, or wait until it has started, and try again.',
      { cause },
    );
  }
}
