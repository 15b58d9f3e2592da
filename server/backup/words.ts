/** What keeps a backup or a restore from being made, in words for whoever asked for it. Nothing was changed. */
export class BackupRefused extends Error {
  override name = 'BackupRefused';
}
