import { doJobsOfParent } from '../../processes/child-side.ts';
import { createDatabase } from './durable-pglite.ts';

doJobsOfParent(createDatabase);
