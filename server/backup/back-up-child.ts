import { setPriority } from 'node:os';
import { doJobOfParent } from '#adapters/processes/child-side.ts';
import type { BackUpTask } from './back-up-away.ts';
import { makeBackup } from './make-backup.ts';

setPriority(10);
doJobOfParent(({ config, path }: BackUpTask) => makeBackup(config, path));
