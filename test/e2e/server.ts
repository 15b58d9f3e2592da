/** The production build on a fresh data folder, which the tests read mails from. */
import { join } from 'node:path';

process.env['DATA_DIR'] = process.env['E2E_DATA_DIR'];
await import(join(import.meta.dirname, '../../dist/shop/main.js'));
