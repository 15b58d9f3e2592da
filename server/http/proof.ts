import type { Proof as ProofView } from '#contract/proof.ts';
import { Refusal } from '#contract/refusals.ts';
import { computeSecondsUntil } from '#shop/ports/clock.ts';
import { isShownInProof } from '#shop/production/next-frame-step.ts';
import { acceptVideos, createProofLink, readProof, type ProofLinkContent } from '#shop/production/proof.ts';
import { countRedosLeft, requestRedo } from '#shop/production/wishes.ts';
import { deliveredView } from './delivery.ts';
import type { HttpScope } from './common/http-scope.ts';
import { mountOperation } from './common/serve.ts';
import { requireOwnFrame } from './frames.ts';

export function registerProofRoutes({ app, shop, jar }: HttpScope): void {
  const { db } = shop;

  mountOperation(app, 'GET /api/proof/:token', async ({ params, reply }) => {
    const proof = await openProofLink(params.token);
    jar.setFrameLink(reply, 'proof', proof.frame.id, params.token, computeSecondsUntil(shop.clock, proof.expiresAt));
    return createView(proof);
  });

  mountOperation(app, 'POST /api/devices/:id/proof-link', async ({ params, customer }) => ({
    path: await createProofLink(shop, await requireOwnFrame(db, customer.id, params.id)),
  }));

  mountOperation(app, 'POST /api/proof/:token/keep', async ({ params, body }) => {
    const { frame } = await openProofLink(params.token);
    await acceptVideos(shop, frame.id, body.videos);
    shop.live.publish('production');
    return createView(await openProofLink(params.token));
  });

  mountOperation(app, 'POST /api/proof/:token/videos/:id/again', async ({ params, body }) => {
    const { frame } = await openProofLink(params.token);
    if (frame.videosReadyAt !== null) throw new Refusal('proof-over');
    const wishedVideo = { frameId: frame.id, videoId: params.id };
    await requestRedo(shop, wishedVideo, body, (video, rules) => video.keptAt === null && isShownInProof(video, rules));
    shop.live.publish('production');
    return createView(await openProofLink(params.token));
  });

  async function openProofLink(token: string): Promise<ProofLinkContent> {
    const proof = await readProof(db, token);
    if (!proof) throw new Refusal('proof-link-invalid');
    return proof;
  }

  const createView = async ({ frame, order, videos }: ProofLinkContent): Promise<ProofView> => {
    const rules = await shop.proofRules(db);
    return {
      firstName: order.firstName,
      frameName: frame.name,
      endsAt: frame.proofEndsAt?.toISOString() ?? null,
      isOver: frame.videosReadyAt !== null,
      redosLeft: await countRedosLeft(shop, frame),
      videos: videos.map((it) => ({
        id: it.video.id,
        caption: it.photo.caption,
        take: it.video.take,
        isKept: it.video.keptAt !== null,
        shown: isShownInProof(it.video, rules) && it.video.videoKey !== null ? deliveredView(it) : null,
      })),
    };
  };
}
