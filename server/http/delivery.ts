import { makeZip, predictLength } from 'client-zip';
import { Readable } from 'node:stream';
import { Refusal } from '#contract/refusals.ts';
import { frameById } from '#shop/frames/frames.ts';
import { orderById } from '#shop/orders/orders.ts';
import {
  openDelivery,
  posterUrl,
  readDelivery,
  videoByFileName,
  videoUrl,
  type FrameDelivery,
} from '#shop/production/delivery.ts';
import type { Door } from './door.ts';
import { ownFrame } from './frames.ts';
import { attachment, sendStored } from './send-file.ts';
import { serve } from './serve.ts';

export function deliveryHttp({ app, shop, jar }: Door): void {
  const { db, storage } = shop;

  serve(app, 'GET /api/delivery/:token', async ({ params, reply }) => {
    const delivery = await open(params.token);
    const { frame, order, expiresAt } = delivery;
    // From here on a cookie opens the videos: no picture address holds the link.
    jar.setDelivery(reply, frame.id, params.token, Math.floor((expiresAt.getTime() - Date.now()) / 1000));
    return {
      firstName: order.firstName,
      frameName: frame.name,
      orderNumber: order.orderNumber,
      expiresAt: expiresAt.toISOString(),
      downloadAllUrl: `/videos/all/${frame.id}`,
      downloadAllBytes: Number(predictLength(entriesOf(delivery))),
      videos: delivery.videos.map(({ video, photo, fileName }) => ({
        id: video.id,
        title: photo.originalFileName.replace(/\.[^.]*$/, ''),
        videoUrl: videoUrl(video),
        posterUrl: posterUrl(video),
        downloadUrl: `${videoUrl(video)}&download=${encodeURIComponent(fileName)}`,
        sizeBytes: video.sizeBytes ?? 0,
        seconds: video.seconds ?? 0,
      })),
    };
  });

  serve(app, 'POST /api/devices/:id/delivery-link', async ({ params, customer }) => ({
    path: await openDelivery(shop, await ownFrame(db, customer.id, params.id)),
  }));

  app.get<{ Params: { fileName: string }; Querystring: { download?: string } }>(
    '/videos/:fileName',
    { schema: { hide: true } },
    async (request, reply) => {
      const found = await videoByFileName(db, request.params.fileName);
      if (!found || !(await maySee(found.video.frameId, found.video.state === 'approved')))
        throw new Refusal('not-found');
      const { download } = request.query;
      const downloadName =
        download !== undefined && /^[\p{L}\p{N}-]{1,80}\.mp4$/u.test(download) ? download : undefined;
      return sendStored(storage, request, reply, { ...found, downloadName });

      /** The admin sees every take; the customer and the holder of the delivery link what was accepted. */
      async function maySee(frameId: string, isApproved: boolean) {
        if (isApproved) {
          const token = jar.delivery(request, frameId);
          if (token !== undefined && (await readDelivery(db, token))?.frame.id === frameId) return true;
          const customer = await app.guards.maybeCustomer(request);
          const frame = customer && (await frameById(db, frameId));
          if (frame && (await orderById(db, frame.orderId))?.customerId === customer.id) return true;
        }
        return app.guards.isAdmin(request, reply);
      }
    },
  );

  app.get<{ Params: { frameId: string } }>(
    '/videos/all/:frameId',
    { schema: { hide: true } },
    async (request, reply) => {
      const token = jar.delivery(request, request.params.frameId);
      const delivery = token === undefined ? undefined : await readDelivery(db, token);
      if (!delivery || delivery.frame.id !== request.params.frameId) throw new Refusal('not-found');
      return reply
        .headers({
          'content-type': 'application/zip',
          'content-length': Number(predictLength(entriesOf(delivery))),
          'content-disposition': attachment(`${delivery.frame.name} videos.zip`),
          'cache-control': 'private, no-store',
          'x-content-type-options': 'nosniff',
        })
        .send(Readable.fromWeb(makeZip(filesOf(delivery)) as never));
    },
  );

  /** One file after the other: an archive of twenty videos holds one of them open. */
  async function* filesOf({ videos }: FrameDelivery) {
    for (const { video, fileName } of videos)
      yield {
        name: fileName,
        size: video.sizeBytes ?? 0,
        lastModified: video.renderedAt ?? new Date(),
        input: Readable.toWeb(await storage.read(video.videoKey!)) as ReadableStream<Uint8Array>,
      };
  }

  async function open(token: string): Promise<FrameDelivery> {
    const delivery = await readDelivery(db, token);
    if (!delivery) throw new Refusal('delivery-link-invalid');
    return delivery;
  }
}

const entriesOf = ({ videos }: FrameDelivery) =>
  videos.map(({ video, fileName }) => ({ name: fileName, size: video.sizeBytes ?? 0 }));
