import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { createApp } from './app.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { startJobs, startSandbox } from './jobs/jobs.ts';
import { serveLivePages, servePages } from './pages.ts';
import { projectFolder } from './project-folder.ts';
import { openShop } from './shop.ts';

/** In-flight work gets this long to finish after SIGTERM. */
const graceMs = 25_000;

const config = loadConfig();
const log = pino({ level: config.logLevel, base: { pid: process.pid, role: config.role } });
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'uncaught exception');
  process.exit(1);
});

const shop = await openShop(config, log).catch((error: Error) => fail(error.message));
const pages = process.env['KINFRAME_PAGES'] === 'live' ? serveLivePages : servePages;
const isWeb = config.role !== 'worker';
const app = await createApp(shop, isWeb ? { servePages: pages } : {});
const stopSandbox = startSandbox(shop);
if (config.role !== 'web') await startJobs(shop);
// A worker listens too: its health and its numbers are asked for like everyone's.
await app.listen({ port: config.port, host: config.host }).catch((error: Error) => fail(error.message));
announce();

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    void stop(signal);
  });

/** Unready, take no more, finish what is begun, give jobs back, leave. */
async function stop(signal: string) {
  log.info({ signal }, 'stopping');
  setTimeout(() => {
    log.error('stopping took too long');
    process.exit(1);
  }, graceMs).unref();
  await app.close();
  await stopSandbox();
  await shop.close();
  log.info('stopped');
  process.exit(0);
}

function loadConfig(): Config {
  const file = join(projectFolder, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message);
    throw error;
  }
}

function fail(words: string): never {
  process.stderr.write(`\n${words}\n\n`);
  process.exit(1);
}

function announce() {
  if (!isWeb) return;
  const lines = [
    `The shop is open: ${config.baseUrl}`,
    `Admin panel:      ${config.baseUrl}/admin-login`,
    ...(shop.generatedAdminPassword ? [`Admin password:   ${shop.generatedAdminPassword}   (shown this once)`] : []),
    ...(shop.sandbox ? ['Payments are a sandbox: pay with 4242 4242 4242 4242, no money moves.'] : []),
    ...(config.smtpUrl ? [] : [`Mails are files in ${join(config.dataDir, 'outbox')}`]),
  ];
  process.stdout.write(`\n${lines.map((it) => `  ${it}`).join('\n')}\n\n`);
}
