import type { DeliveredVideo, LinkValidity } from '#contract/delivery.ts';
import { Refusal } from '#contract/refusals.ts';
import { findGiverName } from '#shop/orders/gifts.ts';
import { customerOfOrder } from '#shop/orders/orders.ts';
import { computeShownSize } from '#shop/photos/photos.ts';
import { computeSecondsUntil } from '#shop/ports/clock.ts';
import {
  captionVideo,
  downloadUrl,
  createDeliveryLink,
  posterUrl,
  findMotionNotMade,
  toProvenance,
  readVideoDelivery,
  stillUrl,
  findVideoByFileName,
  videoPhotoUrl,
  videoUrl,
  type FrameDelivery,
  type FrameVideo,
} from '#shop/production/delivery.ts';
import {
  endPlayerLink,
  endShareLink,
  createPlayerLink,
  findPlayerLink,
  shareFrame,
  listShareLinks,
} from '#shop/production/frame-links.ts';
import { countRedosLeft, requestRedo } from '#shop/production/wishes.ts';
import type { ValidToken } from '#shop/tokens/tokens.ts';
import type { HttpScope } from './common/http-scope.ts';
import { requireOwnFrame } from './frames.ts';
import { computeArchiveBytes, sendArchive } from './common/archive.ts';
import { sendStoredFile } from './common/send-file.ts';
import { mountOperation } from './common/serve.ts';

export function registerDeliveryRoutes({ app, shop, jar }: HttpScope): void {
  const { db, storage } = shop;

  mountOperation(app, 'GET /api/delivery/:token', async ({ params, reply }) => {
    const delivery = await openDeliveryLink(params.token);
    const { purpose, frame, order, expiresAt, videos, underWay } = delivery;
    const isCustomersLink = purpose === 'delivery';
    // Set a cookie that gives access to the videos, so that their addresses do not contain the token of the link.
    jar.setFrameLink(reply, purpose, frame.id, params.token, computeSecondsUntil(shop.clock, expiresAt));
    const [shares, player, left] = isCustomersLink
      ? await Promise.all([listShareLinks(db, frame.id), findPlayerLink(db, frame.id), countRedosLeft(shop, frame)])
      : [[], undefined, 0];
    return {
      may: isCustomersLink ? 'keep' : 'watch',
      firstName: order.firstName,
      frameName: frame.name,
      giftFrom: findGiverName(order),
      orderNumber: isCustomersLink ? order.orderNumber : null,
      expiresAt: expiresAt.toISOString(),
      downloadAllUrl: `/videos/all/${frame.id}`,
      downloadAllBytes: computeArchiveBytes(toArchiveFiles(delivery)),
      videos: videos.map(deliveredView),
      underWay: underWay.map(({ video, photo }) => ({ id: video.id, caption: photo.caption })),
      redosLeft: left,
      shares: shares.map(toLinkValidity),
      player: player ? toLinkValidity(player) : null,
    };
  });

  mountOperation(app, 'POST /api/devices/:id/delivery-link', async ({ params, customer }) => ({
    path: await createDeliveryLink(shop, await requireOwnFrame(db, customer.id, params.id)),
  }));

  // Calls that need the customer's own delivery link. They refuse a share link.

  mountOperation(app, 'PUT /api/delivery/:token/videos/:id', async ({ params, body }) => {
    const { frame } = await openCustomersLink(params.token);
    return deliveredView(await captionVideo(db, frame.id, params.id, body.caption));
  });

  mountOperation(app, 'POST /api/delivery/:token/videos/:id/again', async ({ params, body }) => {
    const { frame } = await openCustomersLink(params.token);
    const wishedVideo = { frameId: frame.id, videoId: params.id };
    const wishesLeft = await requestRedo(shop, wishedVideo, body, ({ state }) => state === 'approved');
    shop.live.publish('production');
    return { redosLeft: wishesLeft };
  });

  mountOperation(app, 'POST /api/delivery/:token/shares', async ({ params, body }) => {
    const { frame, expiresAt } = await openCustomersLink(params.token);
    return toLinkView(await shareFrame(shop, { frame, until: expiresAt }, body.lastDay));
  });

  mountOperation(app, 'DELETE /api/delivery/:token/shares/:id', async ({ params }) => {
    const { frame } = await openCustomersLink(params.token);
    await endShareLink(shop, frame.id, params.id);
    return { success: true, message: 'The link no longer works.' };
  });

  mountOperation(app, 'POST /api/delivery/:token/player', async ({ params }) => {
    const { frame } = await openCustomersLink(params.token);
    return toLinkView(await createPlayerLink(shop, frame));
  });

  mountOperation(app, 'DELETE /api/delivery/:token/player', async ({ params }) => {
    const { frame } = await openCustomersLink(params.token);
    await endPlayerLink(shop, frame.id);
    return { success: true, message: 'The player has stopped.' };
  });

  app.get<{ Params: { fileName: string }; Querystring: { download?: string; take?: string } }>(
    '/videos/:fileName',
    { schema: { hide: true } },
    async (request, reply) => {
      const { download, take } = request.query;
      const file = {
        fileName: request.params.fileName,
        take: /^\d{1,9}$/.test(String(take)) ? Number(take) : undefined,
      };
      const foundVideo = await findVideoByFileName(db, file, {
        owner: await app.guards.adminCondition(request, reply, 'orders'),
        customer: (orderId) => app.guards.customerCondition(request, customerOfOrder(orderId)),
        linkTokens: jar.readFrameLinkTokens(request),
        proofStates: (await shop.proofRules(db)).when === 'before' ? ['approved', 'rendered'] : ['approved'],
      });
      if (!foundVideo) throw new Refusal('not-found');
      const [, ending] = /^[\p{L}\p{M}\p{N}-]{1,200}(\.mp4|\.jpg)$/u.exec(download ?? '') ?? [];
      const downloadName = ending && request.params.fileName.endsWith(ending) ? download : undefined;
      return sendStoredFile(storage, request, reply, { ...foundVideo, downloadName });
    },
  );

  app.get<{ Params: { frameId: string } }>(
    '/videos/all/:frameId',
    { schema: { hide: true } },
    async (request, reply) => {
      const { frameId } = request.params;
      const tokens = (['delivery', 'share'] as const).flatMap((kind) => jar.frameLink(request, kind, frameId) ?? []);
      const delivery = await findFirstDelivery(tokens);
      if (!delivery || delivery.frame.id !== frameId) throw new Refusal('not-found');
      return sendArchive(storage, reply, `${delivery.frame.name} videos.zip`, toArchiveFiles(delivery));
    },
  );

  async function openDeliveryLink(token: string, purposes?: FrameDelivery['purpose'][]): Promise<FrameDelivery> {
    const delivery = await readVideoDelivery(db, token, purposes);
    if (!delivery) throw new Refusal('delivery-link-invalid');
    return delivery;
  }
  const openCustomersLink = (token: string) => openDeliveryLink(token, ['delivery']);
  async function findFirstDelivery(tokens: string[]): Promise<FrameDelivery | undefined> {
    for (const token of tokens) {
      const delivery = await readVideoDelivery(db, token);
      if (delivery) return delivery;
    }
    return undefined;
  }
  const toLinkView = ({ path, expiresAt }: { path: string; expiresAt: Date }) => ({
    url: shop.link(path),
    expiresAt: expiresAt.toISOString(),
  });
}

export const deliveredView = ({ video, photo, fileName }: FrameVideo): DeliveredVideo => ({
  id: video.id,
  caption: photo.caption,
  take: video.take,
  videoUrl: videoUrl(video),
  posterUrl: posterUrl(video),
  photoUrl: videoPhotoUrl(video),
  photoWidth: computeShownSize(photo).width,
  photoHeight: computeShownSize(photo).height,
  downloadUrl: downloadUrl(video, fileName),
  stillUrl: stillUrl(video, fileName),
  sizeBytes: video.sizeBytes ?? 0,
  seconds: video.seconds ?? 0,
  provenance: toProvenance(video),
  hasOwnMotion: photo.ownMotion !== null,
  requestedMotionNotMade: findMotionNotMade(video, photo),
});

const toLinkValidity = ({ id, createdAt, expiresAt }: ValidToken): LinkValidity => ({
  id,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});

const toArchiveFiles = ({ videos }: FrameDelivery) =>
  videos.map(({ video, fileName }) => ({
    name: fileName,
    key: video.videoKey!,
    sizeBytes: video.sizeBytes ?? 0,
    lastModified: video.renderedAt ?? new Date(),
  }));
