import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Refusal } from '#contract/refusals.ts';
import { samplePassword, samplePeople } from '#db/sample/people.ts';
import { emailSamples, samplePosters } from '#adapters/mail/emails/samples.ts';
import { openOutbox, type OutboxMail } from '#adapters/mail/outbox-reader.ts';
import { embedPicturesInHtml } from '#adapters/mail/embed-pictures.ts';
import { findCustomerByEmail } from '#shop/accounts/accounts.ts';
import { newId } from '#shop/columns.ts';
import { PaymentProviderError } from '#shop/ports/card-payments.ts';
import { contentIdOf } from '#shop/ports/mailer.ts';
import { isLoopback } from '../config.ts';
import { publicFolder } from '../project-folder.ts';
import type { Shop } from '../shop.ts';
import type { HttpScope } from './common/http-scope.ts';
import { isProxied } from './common/guards.ts';
import { mountOperation } from './common/serve.ts';

const mailsAPage = 20;

/**
 * Routes of the embedded payment provider, and calls of the /sandbox page, which shows the mails and payments of the
 * demo. They exist only in the demo.
 */
export async function registerSandboxRoutes({ app, shop }: HttpScope): Promise<void> {
  const { sandbox, mailer } = shop;
  if (!sandbox) return;
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, isForPrograms: true };
    });
    await scope.register(sandbox.routes, { prefix: '/sandbox/stripe' });
  });
  if (mailer.kind === 'outbox')
    await app.register(async (scope) => registerSandboxTools(scope as HttpScope['app'], shop, sandbox));
}

function registerSandboxTools(app: HttpScope['app'], shop: Shop, sandbox: NonNullable<Shop['sandbox']>): void {
  const { db, config } = shop;
  const outbox = openOutbox(join(config.dataDir, 'outbox'));
  app.addHook('preParsing', async (request, reply) => {
    // Mails contain links that give access to accounts. On this machine anyone may see them, elsewhere only the owner
    // may.
    if (!isOnThisMachine(request, config)) await app.guards.requireAdmin(request, reply);
  });

  mountOperation(app, 'GET /api/sandbox', async () => {
    const detailsWithAccount = samplePeople.filter((it) => it.hasAccount).map((it) => it.details);
    const sampleCustomers = await Promise.all(detailsWithAccount.map((it) => findCustomerByEmail(db, it.email)));
    return {
      people: sampleCustomers.flatMap((it) =>
        it ? { name: `${it.firstName} ${it.lastName}`, email: it.email, password: samplePassword } : [],
      ),
      downUntil: sandbox.downUntil()?.toISOString() ?? null,
    };
  });

  mountOperation(app, 'GET /api/sandbox/mails', async ({ query }) => {
    const { total, mails } = await outbox.list(query.page, mailsAPage);
    return { pages: Math.ceil(total / mailsAPage), mails: mails.map(mailView) };
  });
  mountOperation(app, 'GET /api/sandbox/mails/:id', async ({ params }) => {
    const mail = await outbox.read(params.id);
    if (!mail) throw new Refusal('not-found');
    const { from, text } = mail;
    return { ...mailView(mail), from, text, htmlPath: `/sandbox/mails/${encodeURIComponent(mail.id)}` };
  });
  app.get<{ Params: { id: string } }>('/sandbox/mails/:id', { schema: { hide: true } }, async (request, reply) => {
    const mail = await outbox.read(request.params.id);
    return mail ? sendEmailPage(reply, mail.html) : reply.callNotFound();
  });

  const renderSample = (sample: (typeof emailSamples)[number]) => {
    const { content } = sample;
    const contentOfThisShop = JSON.stringify(content).replaceAll(content.shop.baseUrl, config.baseUrl);
    return shop.render(JSON.parse(contentOfThisShop) as typeof content, samplePosters(publicFolder, sample));
  };
  mountOperation(app, 'GET /api/sandbox/letters', () =>
    Promise.all(
      emailSamples.map(async (sample, place) => {
        const { subject, text } = await renderSample(sample);
        return { id: String(place), name: sample.name, subject, text, htmlPath: `/sandbox/letters/${place}` };
      }),
    ),
  );
  app.get<{ Params: { id: string } }>('/sandbox/letters/:id', { schema: { hide: true } }, async (request, reply) => {
    const sample = /^\d{1,3}$/.test(request.params.id) ? emailSamples[Number(request.params.id)] : undefined;
    if (!sample) return reply.callNotFound();
    const { html, pictures } = await renderSample(sample);
    return sendEmailPage(
      reply,
      embedPicturesInHtml(
        html,
        pictures.map((it) => ({ ...it, contentId: contentIdOf(it) })),
      ),
    );
  });

  mountOperation(app, 'GET /api/sandbox/payments', async () =>
    (await sandbox.listPayments()).map((it) => ({
      id: it.intentId,
      status: it.status,
      amount: it.amountCents,
      refundedAmount: it.refundedCents,
      isDisputed: it.isDisputed,
      description: it.description,
      email: it.receiptEmail,
      card: it.card ?? null,
      lastError: it.lastError ?? null,
      createdAt: it.createdAt.toISOString(),
    })),
  );
  mountOperation(app, 'POST /api/sandbox/payments/:id/refund', async ({ params, body }) => {
    const intent = await sandbox.payments.getIntent(params.id).catch(refuseWithMessage);
    if (!intent) throw new Refusal('not-found');
    const refunds = await sandbox.payments.listRefundsOf(params.id).catch(refuseWithMessage);
    const countedRefunds = refunds.filter((it) => it.status !== 'failed' && it.status !== 'canceled');
    const refundableCents = intent.amountReceivedCents - countedRefunds.reduce((sum, it) => sum + it.amountCents, 0);
    if (refundableCents <= 0)
      throw new Refusal('sandbox-refused', { words: 'This payment has nothing left to refund.' });
    const amountCents = body.amountCents ?? refundableCents;
    if (amountCents > refundableCents) throw new Refusal('sandbox-refused', { words: 'That is more than was paid.' });
    await sandbox.payments.refund({ intentId: params.id, amountCents }, newId()).catch(refuseWithMessage);
    return { success: true, message: 'Refunded at the provider. The shop will know in a moment.' };
  });
  /** Simulates an action of the bank for a payment of this sandbox. */
  const actAsBank = async (act: (intentId: string) => Promise<void>, intentId: string) => {
    if (!(await sandbox.listPayments(10_000)).some((it) => it.intentId === intentId)) throw new Refusal('not-found');
    await act(intentId).catch((cause: Error) => {
      throw Object.assign(new Refusal('sandbox-refused', { words: cause.message }), { cause });
    });
  };
  mountOperation(app, 'POST /api/sandbox/payments/:id/dispute', async ({ params }) => {
    await actAsBank((id) => sandbox.dispute(id), params.id);
    return { success: true, message: 'Disputed. The shop will know in a moment.' };
  });
  mountOperation(app, 'POST /api/sandbox/payments/:id/fraud-warning', async ({ params }) => {
    await actAsBank((id) => sandbox.warnOfFraud(id), params.id);
    return { success: true, message: 'Reported as likely fraud. The shop will know in a moment.' };
  });
  mountOperation(app, 'POST /api/sandbox/settle-delayed', async () => {
    await sandbox.settleDelayedNow();
    return { success: true, message: 'No payment is processing anymore.' };
  });
  mountOperation(app, 'POST /api/sandbox/outage', ({ body }) => {
    sandbox.switchOff(body.seconds);
    return { downUntil: sandbox.downUntil()?.toISOString() ?? null };
  });
}

const mailView = ({ id, subject, to, date }: OutboxMail) => ({ id, subject, to, date: date.toISOString() });

/**
 * The policy of a page that shows an email: it runs no scripts, loads nothing, opens links in new tabs, and only our
 * own pages may embed it.
 */
const emailPagePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');
function sendEmailPage(reply: FastifyReply, html: string) {
  return reply
    .headers({
      'content-security-policy': emailPagePolicy,
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    })
    .type('text/html; charset=utf-8')
    .send(html.replace('<head>', '<head><base target="_blank">'));
}

/**
 * True if the request comes from this machine, with the shop's host name and not through a proxy. A page of another
 * site whose host name points to this machine sends another Host header, so it is refused.
 */
function isOnThisMachine(request: FastifyRequest, { baseUrl, trustProxy }: Shop['config']): boolean {
  const { hostname, host } = new URL(baseUrl);
  const address = request.socket.remoteAddress ?? '';
  const isFromThisMachine = ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
  const isOwnRequest = isFromThisMachine && !isProxied(request) && request.headers.host === host;
  return isLoopback(hostname) && trustProxy.length === 0 && isOwnRequest;
}

function refuseWithMessage(cause: unknown): never {
  if (!(cause instanceof PaymentProviderError)) throw cause;
  const refusal =
    cause.reason === 'unavailable'
      ? new Refusal('payment-provider-unavailable')
      : new Refusal('sandbox-refused', { words: 'The payment sandbox refused this.' });
  throw Object.assign(refusal, { cause });
}
