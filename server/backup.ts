/** `npm run backup -- FILE [--since DATE-or-FILE]` writes the whole shop into one file. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { countText } from '#contract/count-text.ts';
import { formatMegabytes, runCommand, resolveUserPath } from './backup/command.ts';
import { makeBackup } from './backup/make-backup.ts';
import { readManifest } from './backup/restore-backup.ts';
import { BackupRefused } from './backup/backup-refused.ts';

await runCommand(async (config) => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { since: { type: 'string' } } });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0)
    throw new BackupRefused('Usage: npm run backup -- FILE [--since DATE-or-FILE]');
  const path = resolveUserPath(file);
  const sinceMoment = values.since === undefined ? undefined : await parseSince(values.since, config.backupPassphrase);
  const { manifest, files, older, missing, sizeBytes, hash } = await makeBackup(config, path, sinceMoment);
  const rowCount = manifest.database.tables.reduce((sum, it) => sum + it.rows, 0);
  return [
    `${path}: the shop as it was at ${manifest.takenAt}`,
    `${countText(rowCount, 'row')} and ${countText(files, 'stored file')}, ${formatMegabytes(sizeBytes)}, ${config.backupPassphrase ? 'encrypted with BACKUP_PASSPHRASE' : 'not encrypted: BACKUP_PASSPHRASE is not set'}`,
    ...(sinceMoment
      ? [
          `${countText(older, 'file')} of before ${sinceMoment.toISOString()} left out: a restore also needs the earlier backup that contains them`,
        ]
      : []),
    `hash of the whole backup: ${hash}`,
    ...(missing.such.length > 0
      ? [
          `${countText(missing.count, 'file')} named in the database could not be copied: deleted meanwhile, or lost (npm run doctor checks): ${missing.such.join(', ')}${missing.count > missing.such.length ? ', …' : ''}`,
        ]
      : []),
  ];
});

/** Parses `--since`: a date, or the file of an earlier backup, which means the time at which it was taken. */
async function parseSince(since: string, passphrase: string | undefined): Promise<Date> {
  const path = resolveUserPath(since);
  if (existsSync(path)) return new Date((await readManifest(path, passphrase)).takenAt);
  const date = new Date(since);
  if (!Number.isNaN(date.getTime()) && /^\d{4}-\d\d-\d\d/.test(since)) return date;
  throw new BackupRefused(`${since} is neither a date such as 2026-05-01 nor an earlier backup.`);
}
