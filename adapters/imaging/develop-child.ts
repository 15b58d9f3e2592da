import { getPriority, setPriority } from 'node:os';
import { serveJobsOfParent } from '../processes/child-side.ts';
import { decodeAnimation, type AnimationJob, type AnimationResult } from './decode-animation.ts';
import { makePhotoCopies, type PhotoCopyJob, type PhotoCopyResult } from './develop.ts';

// Lower priority: showing pages is more urgent than developing photos.
if (getPriority() < 10) setPriority(10);
serveJobsOfParent<PhotoCopyResult | AnimationResult>((job: PhotoCopyJob | AnimationJob) =>
  'animation' in job ? decodeAnimation(job) : makePhotoCopies(job),
);
