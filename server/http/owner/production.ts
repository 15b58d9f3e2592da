import { isMp4 } from '#adapters/animation/video-facts.ts';
import { videoTitleFromCaption } from '#contract/video-title.ts';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { AdminVideo, ProductionOrder } from '#contract/owner/production.ts';
import { doWithAuditEntry, recordAuditEntry } from '#shop/audit/audit.ts';
import { readFramesOfOrders } from '#shop/frames/frames.ts';
import { ordersByIds } from '#shop/orders/orders.ts';
import { renumberReviewVideo } from '#shop/reviews/reviews.ts';
import { photoUrl, thumbnailUrl } from '#shop/photos/photos.ts';
import { disputesOfOrders, isMoneyWithdrawn, isOpenDispute } from '#shop/refunds/disputes.ts';
import { clipUrl, posterUrl, videoUrl } from '#shop/production/delivery.ts';
import { revertToLiveTake } from '#shop/production/live-takes.ts';
import { approveVideo, replaceWithUploadedVideo, redoVideo } from '#shop/production/production.ts';
import { listProduction } from '#shop/production/production-list.ts';
import type { Wish } from '#shop/production/wishes.ts';
import { findOwnersVideo, readOwnersVideosOfFrames, type OwnersVideo } from '#shop/production/owner-videos.ts';
import type { OrderInProduction, Video } from '#shop/production/production.ts';
import type { Db } from '#shop/ports/database.ts';
import type { Shop } from '../../shop.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { receiveForm, type FormRules } from '../common/multipart.ts';
import { readRowsAndSetNextLink } from '../common/list-link.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerProductionRoutes({ app, shop }: HttpScope): void {
  const { db, clock, workFolder } = shop;

  const readPage = async (query: Parameters<typeof listProduction>[1]) => {
    const productionPage = await listProduction(db, query);
    return { ...productionPage, rows: await createProductionViews(shop, productionPage.rows) };
  };
  mountOperation(app, 'GET /api/admin/production-orders', (call) => readRowsAndSetNextLink(call, readPage));
  mountOperation(app, 'GET /api/admin/lists/production-orders', ({ query }) => readPage(query));

  mountOperation(app, 'POST /api/admin/videos/:id/approve', async ({ params, body, request }) => {
    const approve = (tx: Db) => approveVideo({ ...shop, db: tx }, params.id, body?.take);
    return readView(
      await doWithAuditEntry(shop, approve, (video) => ({
        act: 'approve-video',
        subjectId: video.id,
        ...getAuditAuthor(request),
      })),
    );
  });

  mountOperation(app, 'POST /api/admin/videos/:id/redo', async ({ params, body, request }) => {
    const redo = (tx: Db) => redoVideo({ ...shop, db: tx }, params.id, body);
    return readView(
      await doWithAuditEntry(shop, redo, (video) => ({
        act: 'redo-video',
        subjectId: video.id,
        after: { style: video.style, ...(body.isTitled !== undefined && { isTitled: body.isTitled }) },
        ...getAuditAuthor(request),
      })),
    );
  });

  mountOperation(app, 'POST /api/admin/videos/:id/keep-live', async ({ params, request }) => {
    const revertToLiveTakeIn = async (tx: Db) => {
      const { video, liveTake } = await revertToLiveTake({ ...shop, db: tx }, params.id);
      await renumberReviewVideo(tx, video.id, { from: liveTake, to: video.take });
      return video;
    };
    return readView(
      await doWithAuditEntry(shop, revertToLiveTakeIn, ({ id: subjectId, take }) => ({
        act: 'keep-video',
        subjectId,
        after: { take },
        ...getAuditAuthor(request),
      })),
    );
  });

  const videoForm: FormRules = {
    workFolder,
    fileFields: ['film'],
    fileBytes: limits.filmBytes,
    noForm: 'no-film',
    tooLarge: () => new Refusal('film-too-large'),
  };
  mountOperation(app, 'PUT /api/admin/videos/:id/film', ({ params, request }) =>
    receiveForm(request, videoForm, async ({ files }) => {
      const videoFile = files['film'];
      if (!videoFile || !(await isMp4(videoFile.path))) throw new Refusal('no-film');
      const recordAct = (tx: Db, { id: subjectId, take }: Video) =>
        recordAuditEntry(tx, clock, { act: 'put-film', subjectId, after: { take }, ...getAuditAuthor(request) });
      return readView(await replaceWithUploadedVideo(shop, params.id, videoFile.path, recordAct));
    }),
  );

  const readView = async ({ id }: Video) => adminVideoView(await findOwnersVideo(db, id), mayBeHosted(shop));
}

const mayBeHosted = ({ animator, standIn }: Shop) => animator.id !== standIn.id;

async function createProductionViews(shop: Shop, listed: OrderInProduction[]): Promise<ProductionOrder[]> {
  const { db } = shop;
  const ids = listed.map((it) => it.orderId);
  const [orders, frames, disputes] = await Promise.all([
    ordersByIds(db, ids),
    readFramesOfOrders(db, ids),
    disputesOfOrders(db, ids),
  ]);
  const videos = await readOwnersVideosOfFrames(
    db,
    frames.map((it) => it.id),
  );
  const ordersById = new Map(orders.map((it) => [it.id, it]));
  const framesByOrder = Map.groupBy(frames, (it) => it.orderId);
  const videosByFrame = Map.groupBy(videos, (it) => it.video.frameId);
  return listed.map(({ orderId, finalizedAt }) => {
    const order = ordersById.get(orderId)!;
    const framesOfOrder = framesByOrder.get(orderId) ?? [];
    return {
      id: orderId,
      orderNumber: order.orderNumber,
      customerName: `${order.firstName} ${order.lastName}`.trim(),
      customerEmail: order.email,
      finalizedAt: finalizedAt.toISOString(),
      photoCount: framesOfOrder.filter((it) => it.finalizedAt !== null).reduce((total, it) => total + it.usedPhotos, 0),
      deviceCount: framesOfOrder.length,
      totalAmount: order.totalCents,
      productId: order.productType,
      quantity: order.quantity,
      isDisputed: disputes.some((it) => it.orderId === orderId && (isOpenDispute(it) || isMoneyWithdrawn(it))),
      shippingAddress: order.shippingAddress,
      gift: order.gift,
      isShipped: order.shippedAt !== null,
      frames: framesOfOrder.map((frame) => ({
        id: frame.id,
        name: frame.name,
        finalizedAt: frame.finalizedAt?.toISOString() ?? null,
        videosReadyAt: frame.videosReadyAt?.toISOString() ?? null,
        proof:
          frame.proofRound > 0 && frame.videosReadyAt === null
            ? { round: frame.proofRound, endsAt: frame.proofEndsAt?.toISOString() ?? null }
            : null,
        videos: (videosByFrame.get(frame.id) ?? []).map((it) => adminVideoView(it, mayBeHosted(shop))),
      })),
    };
  });
}

const adminVideoView = (
  { video, photo, second, costCents, wish, liveTake }: OwnersVideo,
  isHostedPossible: boolean,
): AdminVideo => ({
  id: video.id,
  uploadId: video.uploadId,
  title: second ? `${photo.originalFileName} and ${second.originalFileName}` : photo.originalFileName,
  photoUrl: photoUrl(photo),
  thumbnailUrl: thumbnailUrl(photo),
  state: video.state,
  style: video.style,
  hasOwnMotion: photo.ownMotion !== null,
  isTitled: videoTitleFromCaption(photo.caption) === undefined ? null : photo.isTitled,
  progress: video.progress,
  take: video.take,
  live:
    liveTake === undefined
      ? null
      : {
          take: liveTake,
          videoUrl: videoUrl({ ...video, take: liveTake }),
          posterUrl: posterUrl({ ...video, take: liveTake }),
        },
  madeBy: video.madeBy,
  standIn: video.standIn,
  isKept: video.keptAt !== null,
  isOwnFilm: video.filmKey !== null,
  mayBeHosted: isHostedPossible,
  wish: wishView(wish),
  costCents,
  times: {
    queued: video.queuedAt.toISOString(),
    started: video.startedAt?.toISOString() ?? null,
    rendered: video.renderedAt?.toISOString() ?? null,
    approved: video.state === 'approved' ? (video.approvedAt?.toISOString() ?? null) : null,
    failed: video.failedAt?.toISOString() ?? null,
  },
  videoUrl: isRendered(video) && video.videoKey ? videoUrl(video) : null,
  clipUrl: isRendered(video) && video.clipKey ? clipUrl(video) : null,
  posterUrl: isRendered(video) && video.posterKey ? posterUrl(video) : null,
  failure: video.failure,
});

const isRendered = ({ state }: Video) => state !== 'queued' && state !== 'rendering';

const wishView = (wish: Wish | undefined) =>
  wish ? { why: wish.why, take: wish.take, askedAt: wish.askedAt.toISOString() } : null;
