import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from './app.ts';
import { openSnapshotDoor } from './backup/snapshot-door.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { ownEnvironment } from './environment.ts';
import { startJobs } from './jobs/jobs.ts';
import { startSandbox } from './jobs/sandbox.ts';
import { createLog } from './log.ts';
import { servePages } from './pages/built.ts';
import { serveLivePages } from './pages/development.ts';
import { openShop, type Shop } from './shop.ts';

/** After SIGTERM, requests and jobs under way get this long to finish. */
const graceMs = 8_000;
const mostMs = 9_900;

/** Open the shop as the settings say, serve it, and close it well when asked to. Answers when its doors are open. */
export async function runShop(): Promise<Shop> {
  const config = read();
  const log = createLog(config.logLevel, { pid: process.pid, role: config.role });
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });

  const shop = await openShop(config, log).catch((error: Error) => fail(wordsOf(error)));
  const pages = process.env['KINFRAME_PAGES'] === 'live' ? serveLivePages : servePages;
  // A worker listens too: its health and its numbers are asked for like everyone's.
  const app = await createApp(shop, config.role === 'worker' ? {} : { servePages: pages });
  const stopSandbox = startSandbox(shop);
  const closeSnapshotDoor = shop.database.engine === 'embedded' ? await openSnapshotDoor(shop) : async () => {};
  // Told to stop meanwhile, it stops well too: a job may have been taken before the door is open.
  const opening = (async () => {
    if (config.role !== 'web') await startJobs(shop);
    await app.listen({ port: config.port, host: config.host }).catch((error: Error) => fail(error.message));
  })();

  /** Unready, take no more, finish what is begun, give jobs back, leave. */
  const stop = async (signal: string) => {
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error('stopping took too long');
      process.exit(1);
    }, mostMs).unref();
    await opening;
    // Whoever sends nothing more, or reads nothing more, is not waited for; a job that goes on is given back at the close.
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
    const rest = Promise.race([shop.database.jobs.rest(), sleep(graceMs)]);
    await Promise.all([app.close(), stopSandbox(), closeSnapshotDoor(), rest]);
    await shop.close();
    log.info('stopped');
    process.exit(0);
  };
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void stop(signal);
    });
  await opening;
  if (config.role !== 'worker' && !isStopping) announce(shop);
  return shop;
}

function read(): Config {
  try {
    return readConfig(ownEnvironment());
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message);
    throw error;
  }
}

function fail(words: string): never {
  process.stderr.write(`\n${words}\n\n`);
  process.exit(1);
}

/** An error and what lies behind it, without stacks. */
function wordsOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\n${wordsOf(error.cause)}` : '';
  return error.message + cause;
}

export function say(...lines: string[]): void {
  process.stdout.write(`\n${lines.map((it) => `  ${it}`).join('\n')}\n\n`);
}

function announce({ config, generatedAdminPassword, sandbox }: Shop): void {
  say(
    `The shop is open: ${config.baseUrl}`,
    `Admin panel:      ${config.baseUrl}/admin-login`,
    ...(generatedAdminPassword ? [`Admin password:   ${generatedAdminPassword}   (shown this once)`] : []),
    ...(sandbox ? ['Payments are a sandbox: pay with 4242 4242 4242 4242, no money moves.'] : []),
    ...(config.smtpUrl ? [] : [`Mails are files in ${join(config.dataDir, 'outbox')}`]),
    ...(sandbox && !config.smtpUrl ? [`Mails and payments to look at: ${config.baseUrl}/sandbox`] : []),
  );
}
