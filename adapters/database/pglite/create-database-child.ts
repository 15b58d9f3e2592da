import { doJobsOfParent } from '../../processes/child-side.ts';
import { createDatabase } from './durable-pglite.ts';
import { makeBeginnings } from './embedded.ts';

/** A child process that creates an empty database. During the build, it makes the template databases instead. */
type Job = { directory: string } | { beginnings: string; migrationsFolder: string };

doJobsOfParent((job: Job) =>
  'directory' in job ? createDatabase(job.directory) : makeBeginnings(job.beginnings, job.migrationsFolder),
);
