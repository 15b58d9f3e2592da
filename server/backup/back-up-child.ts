import { setPriority } from 'node:os';
import { serveJobsOfParent } from '#adapters/processes/child-side.ts';
import type { BackUpTask } from './nightly-backup.ts';
import { writeBackupFile } from './make-backup.ts';

setPriority(10);
serveJobsOfParent(({ config, path }: BackUpTask) => writeBackupFile(config, path));
