import { getPriority, setPriority } from 'node:os';
import { doJobsOfParent } from '../../processes/child-side.ts';
import { renderVideo, tryRendering } from './render.ts';
import type { ChildJob, RenderAnswer } from './render-job.ts';

// Rendering waits for the shop; so does ffmpeg, which is started from here.
if (getPriority() < 10) setPriority(10);
doJobsOfParent<RenderAnswer>((job: ChildJob, tellProgress) =>
  'render' in job ? renderVideo(job.render, tellProgress) : tryRendering(job.tryFfmpeg),
);
