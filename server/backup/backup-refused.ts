/** An expected error of a backup or restore. Its message explains the reason to the person who started the command. */
export class BackupRefused extends Error {
  override name = 'BackupRefused';
}
