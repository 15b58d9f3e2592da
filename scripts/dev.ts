/**
 * `npm run dev`: runs the shop from its sources. It restarts after every change of the server, and pages update by
 * themselves.
 */
import { join } from 'node:path';
import { runInheritingStdio } from './run.ts';

const root = join(import.meta.dirname, '..');
const watchArguments = ['adapters', 'contract', 'server', 'shop'].map((it) => `--include=./${it}/**/*`);
await runInheritingStdio(
  process.execPath,
  [join(root, 'node_modules/tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', ...watchArguments, 'server/main.ts'],
  {
    cwd: root,
    env: { ...process.env, KINFRAME_PAGES: 'live' },
  },
);
