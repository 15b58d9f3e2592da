/** One restore in a process of its own: how long it takes, and how much the process grows by it. */
import { readConfig } from '#server/config.ts';
import { restoreBackup } from '#server/backup/restore-backup.ts';
import { forgetPeakOf, peakMegabytesOf } from './measure.ts';

const [path] = process.argv.slice(2);
const before = forgetPeakOf(process.pid);
const started = performance.now();
const { files } = await restoreBackup(readConfig(process.env), [path!]);
const seconds = (performance.now() - started) / 1000;
process.stdout.write(JSON.stringify({ seconds, files, grownMegabytes: peakMegabytesOf(process.pid) - before }));
