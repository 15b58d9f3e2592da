import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from './app.ts';
import { openSnapshotSocket } from './backup/snapshot-socket.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { readOwnEnvironment } from './environment.ts';
import { endRequestOfError } from './http/common/request-errors.ts';
import { startJobs } from './jobs/jobs.ts';
import { startSandbox } from './jobs/sandbox.ts';
import { createLog } from './log.ts';
import { servePages } from './pages/built.ts';
import { serveLivePages } from './pages/development.ts';
import { openShop, type Shop } from './shop.ts';

/** Open the shop with the process's settings, serve it, and close it cleanly on a signal. Resolves once it listens. */
export async function runShop(): Promise<Shop> {
  const config = readConfigOrExit();
  const log = createLog(config.logLevel, { pid: process.pid, role: config.role });
  process.on('uncaughtException', (error) => {
    if (endRequestOfError(error)) return;
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });

  // Exit when the supervisor of `npm start` is killed. Otherwise nothing would stop this process.
  if (process.send) process.once('disconnect', () => process.exit(1));

  const shop = await openShop(config, log).catch((error: Error) => exitWithError(describeError(error)));
  const serveChosenPages = process.env['KINFRAME_PAGES'] === 'live' ? serveLivePages : servePages;
  // A worker also listens for HTTP requests, because it also serves health checks and metrics.
  const app = await createApp(shop, config.role === 'worker' ? {} : { servePages: serveChosenPages });
  const stopSandbox = startSandbox(shop);
  const closeSnapshotSocket = shop.database.engine === 'embedded' ? await openSnapshotSocket(shop) : async () => {};
  // A stop signal during the start waits for this promise and then stops the shop cleanly, because a job may already
  // run before the server listens.
  const startPromise = (async () => {
    if (config.role !== 'web') await startJobs(shop);
    await app.listen({ port: config.port, host: config.host }).catch((error: Error) => exitWithError(error.message));
  })();

  /** Report not ready, accept no more work, finish what has begun, return jobs to the queue, exit. */
  const stopShop = async (signal: string) => {
    const graceMs = config.stopSeconds * 1000;
    // Closing connections and files may take another quarter of the grace period.
    const maxStopMs = graceMs * 1.25 - 100;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error('stopping took too long');
      process.exit(1);
    }, maxStopMs).unref();
    await startPromise;
    // After the grace period, close connections of clients that have stopped sending or reading. A job that still runs
    // returns to the queue when the shop closes.
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
    const jobsAtRest = Promise.race([shop.database.jobs.stopWorkers(), sleep(graceMs)]);
    await Promise.all([app.close(), stopSandbox(), closeSnapshotSocket(), jobsAtRest]);
    await shop.close();
    log.info('stopped');
    process.exit(0);
  };
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void stopShop(signal);
    });
  await startPromise;
  process.send?.('open');
  if (config.role !== 'worker' && !isStopping) announceStart(shop);
  return shop;
}

function readConfigOrExit(): Config {
  try {
    return readConfig(readOwnEnvironment());
  } catch (error) {
    if (error instanceof ConfigError) return exitWithError(error.message);
    throw error;
  }
}

function exitWithError(words: string): never {
  process.stderr.write(`\n${words}\n\n`);
  process.exit(1);
}

/** The messages of an error and of its causes, without stacks. */
function describeError(error: Error): string {
  const cause = error.cause instanceof Error ? `\n${describeError(error.cause)}` : '';
  return error.message + cause;
}

export function printLines(...lines: string[]): void {
  process.stdout.write(`\n${lines.map((it) => `  ${it}`).join('\n')}\n\n`);
}

function announceStart({ config, generatedAdminPassword, sandbox }: Shop): void {
  printLines(
    `The shop is open: ${config.baseUrl}`,
    `Admin panel:      ${config.baseUrl}/admin-login`,
    ...(generatedAdminPassword ? [`Admin password:   ${generatedAdminPassword}   (shown this once)`] : []),
    ...(sandbox ? ['Payments are a sandbox: pay with 4242 4242 4242 4242, no money moves.'] : []),
    ...(config.smtpUrl ? [] : [`Mails are files in ${join(config.dataDir, 'outbox')}`]),
    ...(sandbox && !config.smtpUrl ? [`Mails and payments to look at: ${config.baseUrl}/sandbox`] : []),
  );
}
