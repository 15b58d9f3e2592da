import { getPriority, setPriority } from 'node:os';
import { doJobsOfParent } from '../processes/child-side.ts';
import { developPhoto } from './develop.ts';

// Whoever looks at a page goes before whoever waits for a photo.
if (getPriority() < 10) setPriority(10);
doJobsOfParent(developPhoto);
