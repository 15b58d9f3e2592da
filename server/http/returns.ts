import { or } from 'drizzle-orm';
import type { OrderReturns, ReturnView } from '#contract/returns.ts';
import { Refusal } from '#contract/refusals.ts';
import { ReturnForm } from '#contract/return-forms.ts';
import { readFramesOfOrders } from '#shop/frames/frames.ts';
import { customerOfOrder, readOrdersOf, type Order } from '#shop/orders/orders.ts';
import {
  isFrameTaken,
  requestReturn,
  returnFileKey,
  readReturnsOfOrders,
  withdrawReturn,
  type FullReturn,
} from '#shop/returns/returns.ts';
import { computeLastReturnDay, returnRefusalOf } from '#shop/returns/window.ts';
import type { HttpScope } from './common/http-scope.ts';
import { receiveForm, type FormRules } from './common/multipart.ts';
import { sendStoredFile } from './common/send-file.ts';
import { mountOperation } from './common/serve.ts';

export function registerReturnRoutes({ app, shop }: HttpScope): void {
  const { db, clock, storage, workFolder } = shop;

  mountOperation(app, 'GET /api/orders/:orderNumber/returns', async ({ params, customer }) =>
    readReturns(await requireOwnOrder(customer.id, params.orderNumber)),
  );

  const form: FormRules = {
    workFolder,
    fileFields: ['photo'],
    noForm: 'return-incomplete',
    tooLarge: (names) => new Refusal('file-too-large', { names }),
  };
  mountOperation(app, 'POST /api/orders/:orderNumber/returns', async ({ params, customer, request }) => {
    const order = await requireOwnOrder(customer.id, params.orderNumber);
    return receiveForm(request, form, async ({ fields, files }) => {
      const { frameIds = '', reason, words = '', key } = fields;
      const { data } = ReturnForm.safeParse({ frameIds: frameIds.split(',').filter(Boolean), reason, words });
      if (!data || !isIdempotencyKey(key)) throw new Refusal('return-incomplete');
      await requestReturn(shop, customer.id, order, { ...data, key, photo: files['photo'] });
      return readReturns(order);
    });
  });

  mountOperation(app, 'POST /api/returns/:id/withdraw', async ({ params, customer }) =>
    readReturns(await withdrawReturn(shop, customer.id, params.id)),
  );

  /** The photo or the label of a return. Only its customer and the owner may open them. */
  app.get<{ Params: { fileName: string } }>(
    '/returns/:fileName',
    { schema: { hide: true } },
    async (request, reply) => {
      const [, id = '', kind] = /^([\w-]{1,64})-(photo|label)$/.exec(request.params.fileName) ?? [];
      const adminCondition = await app.guards.adminCondition(request, reply, 'returns');
      const key =
        kind &&
        (await returnFileKey(db, id, kind as 'photo' | 'label', (orderId) =>
          or(adminCondition, app.guards.customerCondition(request, customerOfOrder(orderId)))!,
        ));
      if (!key) throw new Refusal('not-found');
      const isPdf = key.endsWith('.pdf');
      return sendStoredFile(storage, request, reply, {
        key,
        contentType: isPdf ? 'application/pdf' : 'image/jpeg',
        ...(isPdf && { downloadName: 'return-label.pdf' }),
      });
    },
  );

  async function requireOwnOrder(customerId: string, orderNumber: string): Promise<Order> {
    const order = (await readOrdersOf(db, customerId)).find((it) => it.orderNumber === orderNumber.toUpperCase());
    if (!order) throw new Refusal('not-found');
    return order;
  }

  async function readReturns(order: Order): Promise<OrderReturns> {
    const times = await shop.deliveryTimes();
    const [frames, all] = await Promise.all([readFramesOfOrders(db, [order.id]), readReturnsOfOrders(db, [order.id])]);
    return {
      refusal: returnRefusalOf(times, order, clock.now()),
      lastDay: computeLastReturnDay(times, order) ?? null,
      frames: frames
        .filter((it) => it.deviceType === 'kinframe')
        .map(({ id, name }) => ({ id, name, isTaken: isFrameTaken(all, id) })),
      returns: all.map(returnView),
    };
  }
}

export const isIdempotencyKey = (key: string | undefined): key is string =>
  key !== undefined && /^[\w-]{8,64}$/.test(key);

export const returnView = (it: FullReturn): ReturnView => ({
  id: it.id,
  state: it.state,
  frames: it.frames.map((frame) => frame.name),
  reason: it.reason,
  words: it.words,
  photoUrl: it.photoKey === null ? null : `/returns/${it.id}-photo`,
  requestedAt: it.requestedAt.toISOString(),
  answer: it.answer,
  answeredAt: it.answeredAt?.toISOString() ?? null,
  labelUrl: it.labelKey === null ? null : `/returns/${it.id}-label`,
  labelLink: it.labelLink,
  receivedAt: it.receivedAt?.toISOString() ?? null,
  endedAt: it.state === 'received' ? null : (it.endedAt?.toISOString() ?? null),
  closingWords: it.closingWords,
  refund: it.refund
    ? it.refund.state === 'failed'
      ? { amount: it.refund.amountCents, isFailed: true }
      : { amount: it.refundedCents, isFailed: false }
    : null,
});
