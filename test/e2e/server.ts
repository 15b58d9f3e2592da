/** The production build on a data folder of its own, gone with the run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-e2e-'));
process.env['DATA_DIR'] = dataDir;
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
await import(join(import.meta.dirname, '../../dist/shop/main.js'));
