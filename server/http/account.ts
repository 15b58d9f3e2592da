import type { FastifyRequest } from 'fastify';
import type { AccountFrame, PasskeyView } from '#contract/account.ts';
import type { ErasureReceipt } from '#contract/erasure.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Customer } from '#shop/accounts/accounts.ts';
import {
  requestEmailChange,
  changeEmail,
  changePassword,
  readNewEmail,
  reauthenticate,
  refuseWithoutRecentProof,
  renameCustomer,
  type Requester,
} from '#shop/accounts/own-account.ts';
import { stopCartReminders } from '#shop/checkout/cart-reminder-ends.ts';
import { endSessionsByMailedLink } from '#shop/accounts/known-browsers.ts';
import { signInByLink } from '#shop/accounts/mailed-links.ts';
import {
  addPasskey,
  startPasskeySignIn,
  startPasskeyRegistration,
  namePasskey,
  readPasskeysOf,
  removePasskey,
  signInByPasskey,
  type Passkey,
} from '#shop/accounts/passkeys.ts';
import { endSessionOf, endSessionsOf, isRecentlyAuthenticated, readSessionsOf } from '#shop/accounts/sessions.ts';
import { isErased } from '#shop/frames/frames.ts';
import { computeShownRetentionEnd, isKeptForYears, setFrameRetention } from '#shop/frames/frame-retention.ts';
import { computeGiftRetentionEnd } from '#shop/orders/gifts.ts';
import { findOrderById } from '#shop/orders/orders.ts';
import { readReturnsOfOrders } from '#shop/returns/returns.ts';
import { closeAccount, unfinishedServicesOf } from '#shop/retention/close-account.ts';
import {
  erasePhotosAndVideosOf,
  findErasureOf,
  readErasuresOf,
  finishErasure,
  readFramesOfCustomer,
  type Erasure,
  type OwnFrame,
} from '#shop/retention/erasure.ts';
import { collectOwnData } from '#shop/retention/own-data.ts';
import type { Clock } from '#shop/ports/clock.ts';
import { endReminders } from '#shop/photos/reminders.ts';
import { hashToken } from '#shop/tokens/tokens.ts';
import { namedFiles } from '../named-files.ts';
import { customerViewOf } from './accounts.ts';
import { sendArchive } from './common/archive.ts';
import type { HttpScope } from './common/http-scope.ts';
import { createRateLimitOptions } from './common/rate-limit.ts';
import { mountOperation } from './common/serve.ts';
import { createBrowserSignIn } from './common/sign-in.ts';
import { requireOwnFrame } from './frames.ts';
import { renderOwnDataPage } from './own-data-page.ts';

export function registerAccountRoutes({ app, shop, jar }: HttpScope): void {
  const { db, clock, jobs, storage } = shop;
  const { remember } = createBrowserSignIn({ shop, jar });
  const createRequester = (customer: Customer, request: FastifyRequest): Requester => ({
    customer,
    sid: jar.read(request, 'sid')!,
  });
  const requireRecentProof = (customer: Customer, request: FastifyRequest) =>
    refuseWithoutRecentProof(shop, createRequester(customer, request));

  mountOperation(app, 'GET /api/account', async ({ customer, request }) => {
    const sid = jar.read(request, 'sid')!;
    const [newEmail, isFresh, sessions, passkeys, frames, receipts] = await Promise.all([
      readNewEmail(db, customer.id),
      isRecentlyAuthenticated(db, clock, sid),
      readSessionsOf(db, clock, customer.id),
      readPasskeysOf(db, customer.id),
      readFramesOfCustomer(db, customer.id),
      readErasuresOf(db, customer.id),
    ]);
    const returns = await readReturnsOfOrders(db, [...new Set(frames.map(({ order }) => order.id))]);
    return {
      customer: customerViewOf(customer),
      newEmail,
      isFresh,
      sessions: sessions.map(({ tokenHash, device, createdAt, lastSeenAt }) => ({
        id: tokenHash,
        device,
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
        isThis: tokenHash === hashToken(sid),
      })),
      passkeys: passkeys.map(passkeyView),
      frames: frames.map((it) => frameView(it, clock)),
      unfinished: unfinishedServicesOf(frames, returns),
      receipts: receipts.map(receiptView),
    };
  });

  mountOperation(app, 'POST /api/account/prove', async ({ customer, body, request }) => {
    await reauthenticate(shop, createRequester(customer, request), body.password);
    return { message: 'Thank you.' };
  });

  mountOperation(app, 'PUT /api/account/name', async ({ customer, body }) =>
    customerViewOf(await renameCustomer(db, customer.id, body)),
  );

  mountOperation(app, 'POST /api/account/email', async ({ customer, body, request }) => {
    await requireRecentProof(customer, request);
    await requestEmailChange(shop, customer, body.email);
    return { message: `We’ve sent a link to ${body.email}. Open it in this browser to change your email.` };
  });

  mountOperation(app, 'POST /api/auth/change-email', async ({ body, request }) => {
    const { email } = await changeEmail(shop, body.token, jar.read(request, 'sid'));
    return { message: `Your account now uses ${email}.` };
  });

  mountOperation(app, 'POST /api/auth/end-sign-in', async ({ body }) => ({
    account: await endSessionsByMailedLink(db, clock, body.token),
    message: 'That browser is signed out.',
  }));

  mountOperation(app, 'PUT /api/account/password', async ({ customer, body, request, reply }) => {
    await remember(request, reply, customer, await changePassword(shop, createRequester(customer, request), body));
    return { message: 'Your password was changed. Every other browser is signed out.' };
  });

  mountOperation(app, 'DELETE /api/account/sessions/:id', async ({ customer, params, request, reply }) => {
    if (!(await endSessionOf(db, customer.id, params.id))) throw new Refusal('not-found');
    if (params.id === hashToken(jar.read(request, 'sid')!)) jar.clear(reply, 'sid');
    return { message: 'That browser is signed out.' };
  });

  mountOperation(app, 'POST /api/account/sessions/logout', async ({ customer, reply }) => {
    await endSessionsOf(db, customer.id);
    jar.clear(reply, 'sid');
    return { message: 'You’re signed out everywhere.' };
  });

  mountOperation(app, 'PUT /api/account/frames/:id/keep', async ({ customer, params, body }) => {
    const { id, orderId } = await requireOwnFrame(db, customer.id, params.id);
    await setFrameRetention(db, clock, id, body.keep, computeGiftRetentionEnd((await findOrderById(db, orderId))!));
    const updatedFrame = (await readFramesOfCustomer(db, customer.id)).find(({ frame }) => frame.id === id);
    if (!updatedFrame) throw new Refusal('not-found'); // the account was deleted during this request
    return frameView(updatedFrame, clock);
  });

  mountOperation(app, 'POST /api/account/erase', async ({ customer, request }) => {
    await requireRecentProof(customer, request);
    const erasure = await db.transaction(async (tx) => {
      const erasedFiles = await erasePhotosAndVideosOf(tx, shop, customer, 'asked');
      if (erasedFiles.photos === 0) throw new Refusal('nothing-to-erase');
      return erasedFiles;
    });
    await eraseFilesNow(erasure, request);
    return receiptView(await findErasureOf(db, customer.id, erasure.id));
  });

  mountOperation(app, 'GET /api/account/receipts/:id', async ({ customer, params }) =>
    receiptView(await findErasureOf(db, customer.id, params.id)),
  );

  mountOperation(app, 'POST /api/account/delete', async ({ customer, request, reply }) => {
    await requireRecentProof(customer, request);
    const erasure = await closeAccount(shop, customer);
    jar.clear(reply, 'sid');
    await eraseFilesNow(erasure, request);
    return receiptView({ ...erasure, doneAt: clock.now() });
  });

  /** Erases the files now, so that the customer sees the result. If this fails, a job does it later. */
  const eraseFilesNow = ({ id }: Erasure, request: FastifyRequest) =>
    finishErasure({ ...shop, words: namedFiles }, id).catch((error: unknown) =>
      request.log.warn({ err: error }, 'files of an erasure could not be erased at once'),
    );

  mountOperation(app, 'POST /api/unsubscribe', async ({ body }) => {
    const areCartRemindersStopped = await stopCartReminders(shop, body.token);
    if (areCartRemindersStopped) return { message: 'We will not remind you of a cart again.' };
    await endReminders(shop, body.token);
    return { message: 'We won’t send any more reminders. Your order stays open.' };
  });

  mountOperation(app, 'POST /api/auth/link', async ({ body }) => {
    // A job looks up the account, so that response and response time do not show whether the account exists.
    await db.transaction((tx) => jobs.enqueue(tx, 'mail-sign-in-link', { email: body.email }));
    return { message: 'If an account exists, a link to sign in has been sent to your email.' };
  });

  mountOperation(app, 'POST /api/auth/link/login', async ({ body, request, reply }) => {
    const { customer, session } = await signInByLink(shop, { ...body, sid: jar.read(request, 'sid') });
    await remember(request, reply, customer, session);
    return { customer: customerViewOf(customer), message: 'Welcome back!' };
  });

  mountOperation(app, 'POST /api/auth/passkey/options', () => startPasskeySignIn(shop));

  mountOperation(app, 'POST /api/auth/passkey/login', async ({ body, request, reply }) => {
    const { customer, session } = await signInByPasskey(shop, body.answer);
    await remember(request, reply, customer, session);
    return { customer: customerViewOf(customer), message: 'Welcome back!' };
  });

  mountOperation(app, 'POST /api/account/passkeys/options', async ({ customer, request }) => {
    await requireRecentProof(customer, request);
    return startPasskeyRegistration(shop, customer);
  });

  mountOperation(app, 'POST /api/account/passkeys', async ({ customer, body, request }) =>
    passkeyView(await addPasskey(shop, customer, { ...body, sid: jar.read(request, 'sid')! })),
  );

  mountOperation(app, 'PUT /api/account/passkeys/:id', async ({ customer, params, body }) =>
    passkeyView(await namePasskey(db, customer.id, params.id, body.name)),
  );

  mountOperation(app, 'DELETE /api/account/passkeys/:id', async ({ customer, params, request }) => {
    await requireRecentProof(customer, request);
    await removePasskey(db, customer.id, params.id);
    return { message: 'The passkey was removed. It can’t be used to sign in anymore.' };
  });

  // The one-click unsubscribe of mail programs (RFC 8058). They post a form to this address.
  void app.register(async (mail) => {
    mail.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1024 },
      (_, body, done) => done(null, body),
    );
    mail.post<{ Querystring: { token?: string } }>(
      '/unsubscribe',
      {
        schema: { hide: true },
        config: { rateLimit: createRateLimitOptions('token-validation'), isForPrograms: true },
      },
      async ({ query }) => {
        const token = typeof query.token === 'string' ? query.token.slice(0, 200) : '';
        if (!(await stopCartReminders(shop, token))) await endReminders(shop, token);
        return { success: true };
      },
    );
  });

  app.get(
    '/api/account/my-data.zip',
    { schema: { hide: true }, config: { rateLimit: createRateLimitOptions('data-download') } },
    async (request, reply) => {
      const customer = await app.guards.requireCustomer(request);
      const { data, files } = await collectOwnData(shop, customer);
      const lastModified = clock.now();
      return sendArchive(storage, reply, 'my-data.zip', [
        { name: 'my-data.html', text: renderOwnDataPage(data), lastModified },
        { name: 'my-data.json', text: `${JSON.stringify(data, null, 2)}\n`, lastModified },
        ...files,
      ]);
    },
  );
}

const passkeyView = ({ id, name, isSynced, createdAt, lastUsedAt }: Passkey): PasskeyView => ({
  id,
  name,
  isSynced,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

const frameView = ({ frame, order }: OwnFrame, clock: Clock): AccountFrame => ({
  id: frame.id,
  name: frame.name,
  orderNumber: order.orderNumber,
  photos: isErased(frame) ? 0 : frame.usedPhotos - (frame.erasedAt === null ? 0 : frame.sealedPhotos),
  keptUntil: computeShownRetentionEnd(frame, clock)?.toISOString() ?? null,
  isKept: isKeptForYears(frame),
  isErased: isErased(frame),
});

const receiptView = ({ id, reason, frames, photos, videos, sizeBytes, askedAt, doneAt }: Erasure): ErasureReceipt => ({
  id,
  reason,
  frames,
  photos,
  videos,
  sizeBytes,
  askedAt: askedAt.toISOString(),
  doneAt: doneAt?.toISOString() ?? null,
});
