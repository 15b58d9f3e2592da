import type { AdminVideo, ProductionOrder } from '#contract/admin.ts';
import { recordAct } from '#shop/audit/audit.ts';
import { finalizedOrderIds, framesOfOrders } from '#shop/frames/frames.ts';
import { ordersByIds } from '#shop/orders/orders.ts';
import { photosOfFrames, photoById, photoUrl, thumbnailUrl, type Upload } from '#shop/photos/photos.ts';
import { disputesOfOrders, isMoneyGone, isOpenDispute } from '#shop/payments/disputes.ts';
import { posterUrl, videoUrl } from '#shop/production/delivery.ts';
import { approveVideo, redoVideo, videosOfFrames, type Video } from '#shop/production/production.ts';
import type { Door } from './door.ts';
import { serve } from './serve.ts';

export function productionHttp({ app, shop }: Door): void {
  const { db, clock } = shop;

  serve(app, 'GET /api/admin/production-orders', async () => {
    const ids = await finalizedOrderIds(db, 200);
    const [orders, frames, disputes] = await Promise.all([
      ordersByIds(db, ids),
      framesOfOrders(db, ids),
      disputesOfOrders(db, ids),
    ]);
    const frameIds = frames.map((it) => it.id);
    const [videos, photos] = await Promise.all([videosOfFrames(db, frameIds), photosOfFrames(db, frameIds)]);
    const photosById = new Map(photos.map((it) => [it.id, it]));
    const ordersById = new Map(orders.map((it) => [it.id, it]));
    return ids.flatMap((id): ProductionOrder[] => {
      const order = ordersById.get(id);
      if (!order) return [];
      const own = frames.filter((it) => it.orderId === id);
      const finalized = own.filter((it) => it.finalizedAt !== null).map((it) => it.finalizedAt!.getTime());
      return [
        {
          id,
          orderNumber: order.orderNumber,
          customerName: `${order.firstName} ${order.lastName}`.trim(),
          customerEmail: order.email,
          finalizedAt: new Date(Math.max(...finalized)).toISOString(),
          photoCount: own.filter((it) => it.finalizedAt !== null).reduce((total, it) => total + it.usedPhotos, 0),
          deviceCount: own.length,
          totalAmount: order.totalCents,
          productId: order.productType,
          quantity: order.quantity,
          isDisputed: disputes.some((it) => it.orderId === id && (isOpenDispute(it) || isMoneyGone(it))),
          shippingAddress: order.shippingAddress,
          frames: own.map((frame) => ({
            id: frame.id,
            name: frame.name,
            finalizedAt: frame.finalizedAt?.toISOString() ?? null,
            videosReadyAt: frame.videosReadyAt?.toISOString() ?? null,
            videos: videos
              .filter((it) => it.frameId === frame.id)
              .map((video) => adminVideoView(video, photosById.get(video.uploadId))),
          })),
        },
      ];
    });
  });

  serve(app, 'POST /api/admin/videos/:id/approve', async ({ params, request }) => {
    const video = await approveVideo(shop, params.id);
    await recordAct(db, clock, { act: 'approve-video', subjectId: video.id, requestId: request.id });
    return adminVideoView(video, await photoById(db, video.uploadId));
  });

  serve(app, 'POST /api/admin/videos/:id/redo', async ({ params, body, request }) => {
    const video = await redoVideo(shop, params.id, body.style);
    await recordAct(db, clock, {
      act: 'redo-video',
      subjectId: video.id,
      after: { style: video.style },
      requestId: request.id,
    });
    return adminVideoView(video, await photoById(db, video.uploadId));
  });
}

const adminVideoView = (video: Video, photo: Upload | undefined): AdminVideo => ({
  id: video.id,
  uploadId: video.uploadId,
  title: photo?.originalFileName ?? 'Photo',
  photoUrl: photo ? photoUrl(photo) : '',
  thumbnailUrl: photo ? thumbnailUrl(photo) : '',
  state: video.state,
  style: video.style,
  progress: video.progress,
  take: video.take,
  madeBy: video.madeBy,
  videoUrl: video.videoKey && video.state !== 'queued' && video.state !== 'rendering' ? videoUrl(video) : null,
  posterUrl: video.posterKey && video.state !== 'queued' && video.state !== 'rendering' ? posterUrl(video) : null,
  failure: video.failure,
});
