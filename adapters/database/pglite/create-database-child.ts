import { doJobsOfParent } from '../../processes/child-side.ts';
import { createDatabase } from './durable-pglite.ts';
import { makeBeginnings } from './embedded.ts';

/** An empty database in a directory; or, for building, what databases begin as. */
type Job = { directory: string } | { beginnings: string; migrationsFolder: string };

doJobsOfParent((job: Job) =>
  'directory' in job ? createDatabase(job.directory) : makeBeginnings(job.beginnings, job.migrationsFolder),
);
