import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { sanitizedFileName } from '#shop/photos/add-photo.ts';
import { claimTrial } from '#shop/trials/claim.ts';
import { findOrCreateBrowserToken } from '#shop/trials/slots.ts';
import {
  eraseOwnTrial,
  mailTrial,
  readTrialVideo,
  startTrial,
  findTrialFileByName,
  findTrialOfBrowser,
  createTrialView,
} from '#shop/trials/trials.ts';
import type { HttpScope } from './common/http-scope.ts';
import { receiveForm, type FormRules } from './common/multipart.ts';
import { sendStoredFile } from './common/send-file.ts';
import { mountOperation } from './common/serve.ts';
import { requireOwnFrame } from './frames.ts';
import { uploadView } from './views.ts';

const cookieSeconds = lifetimes.trialHours * 3600;

export function registerTrialRoutes({ app, shop, jar }: HttpScope): void {
  const { db, clock, storage, workFolder, config } = shop;

  mountOperation(app, 'GET /data/trial.json', async () => ({ isOffered: await shop.hasTrials(db) }));

  mountOperation(app, 'GET /api/trial', async ({ request }) => {
    const trial = await findTrialOfBrowser(shop, jar.read(request, 'trial'));
    return { trial: trial ? await createTrialView(shop, trial) : null };
  });

  // Without the cookie, a browser that does not receive the response to its photo would not own the video.
  mountOperation(app, 'GET /api/trial/browser', async ({ request, reply }) => {
    if (!(await shop.hasTrials(db))) throw new Refusal('trial-off');
    jar.set(reply, 'trial', await findOrCreateBrowserToken(db, jar.read(request, 'trial')), cookieSeconds);
    return { success: true };
  });

  const photoForm: FormRules = {
    workFolder,
    fileFields: ['image'],
    noForm: 'no-file',
    tooLarge: (name) => new Refusal('file-too-large', { names: sanitizedFileName(name) }),
  };
  mountOperation(app, 'POST /api/trial', async ({ request, reply }) => {
    if (!(await shop.hasTrials(db))) throw new Refusal('trial-off');
    return receiveForm(request, photoForm, async ({ files }) => {
      const file = files['image'];
      if (!file) throw new Refusal('no-file');
      const { trial, browserToken } = await startTrial(shop, file, {
        browserToken: jar.read(request, 'trial'),
        address: config.rateLimits ? request.ip : undefined,
      });
      jar.set(reply, 'trial', browserToken, cookieSeconds);
      return createTrialView(shop, trial);
    });
  });

  mountOperation(app, 'DELETE /api/trial', async ({ request, reply }) => {
    await eraseOwnTrial(shop, jar.read(request, 'trial'));
    jar.clear(reply, 'trial');
    return { success: true, message: 'We’re deleting your photo and its video.' };
  });

  mountOperation(app, 'POST /api/trial/mail', async ({ body, request }) => {
    await mailTrial(shop, jar.read(request, 'trial'), body.email);
    return { success: true, message: `We’re emailing the link to ${body.email}.` };
  });

  mountOperation(app, 'POST /api/trial/claim', async ({ body, customer, request }) => {
    const frame = await requireOwnFrame(db, customer.id, body.deviceId);
    const onError = (error: unknown) =>
      request.log.error({ err: error }, 'a photo that was tried could not be moved to the front of its frame');
    return uploadView(await claimTrial({ ...shop, onError }, jar.read(request, 'trial'), frame, customer.id));
  });

  mountOperation(app, 'GET /api/trial/film/:token', async ({ params, reply }) => {
    const openedTrialVideo = await readTrialVideo(shop, params.token);
    if (!openedTrialVideo) throw new Refusal('trial-link-invalid');
    // Set a cookie that gives access to the video, so that its address does not contain the token of the link.
    const seconds = Math.ceil((openedTrialVideo.endsAt.getTime() - clock.now().getTime()) / 1000);
    jar.setTrialView(reply, openedTrialVideo.trialId, params.token, seconds);
    return openedTrialVideo.film;
  });

  app.get<{ Params: { fileName: string } }>('/trials/:fileName', { schema: { hide: true } }, async (request, reply) => {
    const foundTrialFile = await findTrialFileByName(shop, request.params.fileName, {
      browserToken: jar.read(request, 'trial'),
      viewTokens: jar.trialViews(request),
    });
    if (!foundTrialFile) throw new Refusal('not-found');
    return sendStoredFile(storage, request, reply, foundTrialFile);
  });
}
