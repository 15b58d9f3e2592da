import { serveJobsOfParent } from '../../processes/child-side.ts';
import { createDatabase } from './durable-pglite.ts';
import { createTemplateDatabases } from './embedded.ts';

/** A child process that creates an empty database. During the build, it makes the template databases instead. */
type Job = { directory: string } | { beginnings: string; migrationsFolder: string };

serveJobsOfParent((job: Job) =>
  'directory' in job ? createDatabase(job.directory) : createTemplateDatabases(job.beginnings, job.migrationsFolder),
);
