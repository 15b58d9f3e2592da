import { serveJobsOfParent } from '../processes/child-side.ts';
import { cutOutPhotoParts, type CutOutResult, type CutOutJob } from './cut-photo.ts';
import { analyzePhoto, type AnalysisJob } from './analyze-photo.ts';
import { loadOnnxRuntime } from './models.ts';
import type { PhotoAnalysis } from '#shop/ports/photo-analyzer.ts';

export type VisionJob = AnalysisJob | CutOutJob | { tryRuntime: true };
export type VisionResult = { seen: PhotoAnalysis } | { cut: CutOutResult } | { runtime: string } | { failed: string };

serveJobsOfParent<VisionResult>(async (job: VisionJob) => {
  try {
    if ('look' in job) return { seen: await analyzePhoto(job) };
    if ('cut' in job) return { cut: await cutOutPhotoParts(job) };
    return { runtime: (await loadOnnxRuntime()).env.versions.node ?? 'unknown' };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
});
