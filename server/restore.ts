/** `npm run restore -- FILE [LATER FILES]` restores the last of these backups into an empty shop. */
import { parseArgs } from 'node:util';
import { countText } from '#contract/count-text.ts';
import { runCommand, resolveUserPath } from './backup/command.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { BackupRefused } from './backup/backup-refused.ts';

await runCommand(async (config) => {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length === 0)
    throw new BackupRefused(
      'Usage: npm run restore -- FILE, or a full backup and the later ones with --since, oldest first',
    );
  const { manifest, files, missing, jobsLeftOut, tookSecrets } = await restoreBackup(
    config,
    positionals.map(resolveUserPath),
  );
  const rowCount = manifest.database.tables.reduce((sum, it) => sum + it.rows, 0);
  return [
    `The shop is as it was at ${manifest.takenAt}: ${countText(rowCount, 'row')} and ${countText(files, 'stored file')}. Every hash matches.`,
    ...(missing.length > 0
      ? [
          `${countText(missing.length, 'file')} that rows name were already missing when the backup was made: ${missing.slice(0, 10).join(', ')}`,
        ]
      : []),
    ...(jobsLeftOut > 0
      ? [`${countText(jobsLeftOut, 'job')} of an older release not restored: this release has no queue for them`]
      : []),
    ...(tookSecrets ? [] : ['The secrets of the backup were not used. The admin password is that of this DATA_DIR']),
  ];
});
