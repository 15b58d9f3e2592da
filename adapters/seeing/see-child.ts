import { serveJobsOfParent } from '../processes/child-side.ts';
import { cutPhoto, type CutAnswer, type CutJob } from './cut.ts';
import { analyzePhoto, type AnalysisJob } from './look.ts';
import { loadOnnxRuntime } from './models.ts';
import type { PhotoAnalysis } from '#shop/ports/seeing.ts';

export type VisionJob = AnalysisJob | CutJob | { tryRuntime: true };
export type VisionResult = { seen: PhotoAnalysis } | { cut: CutAnswer } | { runtime: string } | { failed: string };

serveJobsOfParent<VisionResult>(async (job: VisionJob) => {
  try {
    if ('look' in job) return { seen: await analyzePhoto(job) };
    if ('cut' in job) return { cut: await cutPhoto(job) };
    return { runtime: (await loadOnnxRuntime()).env.versions.node ?? 'unknown' };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
});
