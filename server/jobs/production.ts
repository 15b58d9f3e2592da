import { makePreview } from '#shop/production/previews.ts';
import { endProofs } from '#shop/production/proof.ts';
import { markVideoFailed, renderVideo } from '#shop/production/render.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

export async function registerProductionJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  const { videoCosts } = shop.config;
  const onChange = () => shop.live.publish('production');
  const onRendered = (style: string, seconds: number) => shop.metrics.renders.observe({ style }, seconds);
  const scope = { ...shop, monthlyCapCents: videoCosts.monthlyCapCents, onChange, onRendered };
  await jobs.startWorkers('render-video', (video, attempt) => renderVideo(scope, video, attempt), {
    concurrency: shop.animator.concurrency,
  });
  await jobs.startWorkers('make-preview', (order, attempt) => makePreview(shop, order, attempt));
  await jobs.startWorkers('give-up-video', (video) => markVideoFailed(shop, video).finally(onChange));
  await jobs.startWorkers('end-proofs', () => endProofs(shop));
  await jobs.schedule('end-proofs', '*/10 * * * *');
}
