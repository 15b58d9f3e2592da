/** `npm run demo`: builds if needed, then runs a shop with sample customers in a separate data folder. */
import { join } from 'node:path';
import { build } from './build.ts';
import { replaceProcessWithShop } from './shop-command.ts';

await build();
process.env['DATA_DIR'] ??= join(import.meta.dirname, '../data/demo');
process.env['ADMIN_PASSWORD'] ??= 'demo-admin-password';
process.env['LOG_LEVEL'] ??= 'warn';
process.stdout.write(`\n  Admin password of the demo: ${process.env['ADMIN_PASSWORD']}\n`);
await replaceProcessWithShop('demo');
