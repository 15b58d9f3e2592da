/** Runs one backup or restore in a separate process and measures its time and memory growth. */
import { readConfig } from '#server/config.ts';
import { makeBackup } from '#server/backup/make-backup.ts';
import { restoreBackup } from '#server/backup/restore-backup.ts';
import { resetPeakMegabytes, readPeakMegabytes } from './measure.ts';

const [command, path] = process.argv.slice(2);
const config = readConfig(process.env);
const peakBefore = resetPeakMegabytes(process.pid);
const startedAt = performance.now();
const { files } = command === 'backup' ? await makeBackup(config, path!) : await restoreBackup(config, [path!]);
const seconds = (performance.now() - startedAt) / 1000;
process.stdout.write(JSON.stringify({ seconds, files, grownMegabytes: readPeakMegabytes(process.pid) - peakBefore }));
