/**
 * `npm run check`: types, lint, format and the tests of changed files, without a browser. An argument names the commit
 * to compare with (`npm run check -- main`). The default is the last commit.
 */
import { findMemoryFolder } from './folder-in-memory.ts';
import { runTool } from './run.ts';

const folder = findMemoryFolder();
if (folder) process.env['TMPDIR'] = folder;
const baseCommit = process.argv[2];

await runTool('oxfmt/bin/oxfmt', '--check');
const outcomes = await Promise.allSettled([runTool('typescript/bin/tsc'), runTool('oxlint/bin/oxlint')]);
for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
await runTool('vitest/vitest.mjs', 'run', '--passWithNoTests', baseCommit ? `--changed=${baseCommit}` : '--changed');
