import { getPriority, setPriority } from 'node:os';
import { serveJobsOfParent } from '../processes/child-side.ts';
import { makePhotoCopies } from './develop.ts';

// Lower priority: showing pages is more urgent than developing photos.
if (getPriority() < 10) setPriority(10);
serveJobsOfParent(makePhotoCopies);
