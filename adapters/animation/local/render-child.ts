import { getPriority, setPriority } from 'node:os';
import { serveJobsOfParent } from '../../processes/child-side.ts';
import { renderVideo, tryRendering } from './render.ts';
import type { RenderProcessJob, RenderResult } from './render-job.ts';

// Low priority, so that the shop runs first. ffmpeg, which starts from here, inherits it.
if (getPriority() < 10) setPriority(10);
serveJobsOfParent<RenderResult>((job: RenderProcessJob, reportProgress) =>
  'render' in job ? renderVideo(job.render, reportProgress) : tryRendering(job.tryFfmpeg),
);
