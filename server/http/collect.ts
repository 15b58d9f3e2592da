import * as z from 'zod';
import { dayAfter, toShopDay } from '#contract/calendar.ts';
import type { ContributorView as CollectingView } from '#contract/collect.ts';
import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import {
  issueCollectLinkPath,
  setContributionCaption,
  collectLinkOf,
  addContributedPhoto,
  readContributions,
  endCollectLink,
  addContributor,
  mailCollectLink,
  makeCollectLink,
  pauseCollectLink,
  readPhotosOfContributor,
  renameContributor,
  collectLinkStateOf,
  deleteOwnContribution,
  type CollectLink,
} from '#shop/collect-links/collect-links.ts';
import { freeSlotsOf } from '#shop/frames/frames.ts';
import { sanitizedFileName } from '#shop/photos/add-photo.ts';
import { acceptPhotos } from '#shop/photos/edit-photo.ts';
import type { Upload } from '#shop/photos/photos.ts';
import { readVideosByUpload } from '#shop/production/production.ts';
import type { HttpScope } from './common/http-scope.ts';
import { receiveForm, type FormRules } from './common/multipart.ts';
import { mountOperation } from './common/serve.ts';
import { requireOwnFrame } from './frames.ts';
import { uploadView } from './views.ts';

export function registerCollectRoutes({ app, shop, jar }: HttpScope): void {
  const { db, clock, workFolder } = shop;

  // Calls of the customer who owns the frame.

  mountOperation(app, 'GET /api/devices/:id/collect-link', async ({ params, customer }) => {
    const frame = await requireOwnFrame(db, customer.id, params.id);
    const link = await collectLinkOf(db, frame.id);
    const contributions = await readContributions(db, frame.id);
    const videos = await readVideosByUpload(
      db,
      contributions.flatMap(({ photos }) => photos.map((it) => it.id)),
    );
    const now = clock.now();
    return {
      link: link
        ? {
            name: link.name,
            state: collectLinkStateOf({ link, frame }, now),
            createdAt: link.createdAt.toISOString(),
            endsAt: link.endsAt.toISOString(),
          }
        : null,
      latestDay: dayAfter(toShopDay(now), lifetimes.collectLinkDays),
      contributions: contributions.map(({ contributor, photos }) => ({
        id: contributor.id,
        firstName: contributor.firstName,
        photos: photos.map((it) => uploadView(it, videos.get(it.id))),
      })),
    };
  });

  mountOperation(app, 'POST /api/devices/:id/collect-link', async ({ params, body, customer }) => {
    const frame = await requireOwnFrame(db, customer.id, params.id);
    return { url: shop.link(await makeCollectLink(shop, frame, customer.id, body)) };
  });

  mountOperation(app, 'POST /api/devices/:id/collect-link/address', async ({ params, customer }) => {
    const { link } = await readFrameAndLink(customer.id, params.id);
    return { url: shop.link(await db.transaction((tx) => issueCollectLinkPath(tx, clock, link))) };
  });

  mountOperation(app, 'POST /api/devices/:id/collect-link/invitations', async ({ params, body, customer }) => {
    await mailCollectLink(shop, await readFrameAndLink(customer.id, params.id), customer.id, body.email);
    return { success: true, message: `We’re emailing the link to ${body.email}.` };
  });

  mountOperation(app, 'PUT /api/devices/:id/collect-link', async ({ params, body, customer }) => {
    const { link } = await readFrameAndLink(customer.id, params.id);
    await pauseCollectLink(shop, link.id, body.isPaused);
    return {
      success: true,
      message: body.isPaused ? 'The link is paused until you resume it.' : 'Your family can add photos again.',
    };
  });

  mountOperation(app, 'DELETE /api/devices/:id/collect-link', async ({ params, customer }) => {
    const frame = await requireOwnFrame(db, customer.id, params.id);
    const link = await collectLinkOf(db, frame.id);
    if (!link) throw new Refusal('not-found');
    await endCollectLink(shop, link.id);
    return { success: true, message: 'The link no longer accepts photos.' };
  });

  mountOperation(app, 'POST /api/devices/:id/accept-photos', async ({ params, body, customer }) => {
    const frame = await requireOwnFrame(db, customer.id, params.id);
    await acceptPhotos(shop, frame.id, body.ids);
    return { success: true, message: body.ids.length === 1 ? 'The photo is now yours.' : 'The photos are now yours.' };
  });

  /** The collect link of a customer's own frame. Refuses a link that has ended. */
  async function readFrameAndLink(customerId: string, frameId: string) {
    const frame = await requireOwnFrame(db, customerId, frameId);
    const link: CollectLink | undefined = await collectLinkOf(db, frame.id);
    if (!link) throw new Refusal('not-found');
    if (link.endsAt <= clock.now()) throw new Refusal('collect-ended');
    return { frame, link };
  }

  // Calls of contributors: family and friends.

  mountOperation(app, 'GET /api/collect/:token', async ({ params, request }) => {
    const openedLink = await app.guards.requireCollectLink(params.token);
    const { link, frame, order } = openedLink;
    const contributor = await app.guards.findContributor(request, openedLink);
    return {
      state: collectLinkStateOf(openedLink, clock.now()),
      name: link.name,
      customerFirstName: order.firstName,
      endsAt: link.endsAt.toISOString(),
      remainingPhotos: Math.max(0, freeSlotsOf(frame)),
      firstName: contributor?.firstName ?? null,
      photos: contributor ? await createContributedViews(await readPhotosOfContributor(db, contributor)) : [],
    };
  });

  mountOperation(app, 'POST /api/collect/:token/contributors', async ({ params, body, request, reply }) => {
    const openedLink = await app.guards.requireCollectLink(params.token);
    const knownContributor = await app.guards.findContributor(request, openedLink);
    if (knownContributor) await renameContributor(db, knownContributor.id, body.firstName);
    else {
      const { token, seconds } = await addContributor(shop, openedLink, {
        firstName: body.firstName,
        address: request.ip,
      });
      jar.setContributor(reply, openedLink.link.id, token, Math.floor(seconds));
    }
    return { success: true, message: `Welcome, ${body.firstName}.` };
  });

  const photoForm: FormRules = {
    workFolder,
    fileFields: ['image'],
    noForm: 'no-file',
    tooLarge: (name) => new Refusal('file-too-large', { names: sanitizedFileName(name) }),
  };
  mountOperation(app, 'POST /api/collect/:token/photos', ({ request, contribution }) =>
    receiveForm(request, photoForm, async ({ fields: { key }, files }) => {
      const file = files['image'];
      if (!file) throw new Refusal('no-file');
      if (key !== undefined && !z.uuid().safeParse(key).success) throw new Refusal('invalid-request');
      const upload = await addContributedPhoto(shop, contribution.collecting, contribution.contributor, file, key);
      return (await createContributedViews([upload]))[0]!;
    }),
  );

  mountOperation(app, 'PUT /api/collect/:token/photos/:id', async ({ params, body, contribution }) => {
    const upload = await setContributionCaption(shop, contribution.contributor, params.id, body.caption);
    return uploadView(upload);
  });

  mountOperation(app, 'DELETE /api/collect/:token/photos/:id', async ({ params, contribution }) => {
    await deleteOwnContribution(shop, contribution.contributor, params.id);
    return { success: true, message: 'Photo removed.' };
  });

  async function createContributedViews(photos: Upload[]): Promise<CollectingView['photos']> {
    const videos = await readVideosByUpload(
      db,
      photos.map((it) => it.id),
    );
    return photos.map((it) => uploadView(it, videos.get(it.id)));
  }
}
