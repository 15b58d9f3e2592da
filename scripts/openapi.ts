/** `npm run openapi`: writes docs/openapi.json, so that a change of the API shows in the diff. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { openApiDocument, openApiFile } from '#server/http/openapi.ts';
import { openShop } from '#server/shop.ts';
import { runTool } from './run.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-openapi-'));
try {
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  const shop = await openShop(config, pino({ level: 'silent' }), { withJobs: false });
  const app = await createApp(shop);
  await app.ready();
  writeFileSync(openApiFile, JSON.stringify(openApiDocument(app)));
  await app.close();
  await shop.close();
  await runTool('oxfmt/bin/oxfmt', openApiFile);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
