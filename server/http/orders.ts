import { pricesInCents } from '#contract/catalog.ts';
import type { OrderEventKind, OrderView } from '#contract/orders.ts';
import { Refusal } from '#contract/refusals.ts';
import {
  framesByIds,
  readFramesOfOrders,
  isOrderWaitingFor,
  isFinalized,
  photoLimitOf,
  type Frame,
} from '#shop/frames/frames.ts';
import { findOrderOfToken, findReadableOrders } from '#shop/orders/access.ts';
import { estimateDelivery } from '#shop/orders/delivery-estimate.ts';
import { refuseOtherShipDays } from '#shop/orders/gifts.ts';
import { readHistoriesOf, isOwnersEvent, type Order } from '#shop/orders/orders.ts';
import { findFramesWithVideos } from '#shop/production/production.ts';
import { showsReturns } from '#shop/returns/window.ts';
import { filterReviewableOrders } from '#shop/reviews/request-reviews.ts';
import { readReviewsOfOrders } from '#shop/reviews/reviews.ts';
import type { HttpScope } from './common/http-scope.ts';
import { mountOperation } from './common/serve.ts';
import { purchaseView } from './views.ts';

const sumBy = <T>(items: T[], of: (item: T) => number) => items.reduce((total, item) => total + of(item), 0);

export function registerOrderRoutes({ app, shop }: HttpScope): void {
  const { db, clock, deliveryTimes } = shop;

  mountOperation(app, 'GET /api/delivery-estimate', async ({ query }) => {
    const now = clock.now();
    refuseOtherShipDays(query.shipOn, now);
    return estimateDelivery(await deliveryTimes(), now, query.shipOn);
  });

  mountOperation(app, 'GET /api/order-summary', async ({ query, request }) => {
    const customer = await app.guards.findCustomer(request);
    const { orders } = await findReadableOrders(db, { session: query.session, customerId: customer?.id });
    const frames = await readFramesOfOrders(
      db,
      orders.map((it) => it.id),
    );
    const ordersWithAddons = await findOrdersEnlargedBy(orders);
    const reviewPossibility = await readReviewPossibility(orders, customer?.id);
    const shippedOrder = orders.find((it) => it.shippingAddress);
    const ordersWithFrames = orders.filter((it) => it.frameId === null);
    const extraPackages = sumBy(orders, (it) => it.extraPackages);
    const framePrice =
      (ordersWithFrames.every((it) => it.productType === 'byof') && ordersWithFrames.length > 0
        ? pricesInCents.byof
        : pricesInCents.kinframe) / 100;
    return {
      photoSummary: {
        uploadedPhotos: sumBy(frames, (it) => it.usedPhotos),
        totalCapacity: sumBy(frames, photoLimitOf),
      },
      orders: orders.map((order) => orderView(order, [...frames, ...ordersWithAddons], reviewPossibility)),
      orderSummary: {
        frameCount: sumBy(orders, (it) => it.quantity),
        framePrice,
        totalFramePrice: sumBy(ordersWithFrames, (it) => it.lines[0]?.amountCents ?? 0) / 100,
        extraPackages,
        extraPackagePrice: pricesInCents.extraPackage / 100,
        total: sumBy(orders, (it) => it.totalCents) / 100,
      },
      estimatedDelivery: shippedOrder ? await estimateDeliveryOf(shippedOrder, frames) : null,
    };
  });

  mountOperation(app, 'GET /api/orders/:orderNumber', async ({ params, query, request }) => {
    const customer = await app.guards.findCustomer(request);
    const { orders, isByToken } = await findReadableOrders(db, { session: query.session, customerId: customer?.id });
    const order = orders.find((it) => it.orderNumber === params.orderNumber.toUpperCase());
    if (!order) throw new Refusal('not-found');
    const frames = await readFramesOfOrders(db, [order.id]);
    const history = (await readHistoriesOf(db, [order.id])).get(order.id)!;
    const framesWithDelivery = await findFramesWithVideos(db, frames);
    return {
      ...orderView(
        order,
        [...frames, ...(await findOrdersEnlargedBy([order]))],
        await readReviewPossibility([order], customer?.id),
      ),
      history: history
        .filter((event) => !isOwnersEvent(event) && !(isByToken && photoKinds.has(event.kind)))
        .map(({ at, kind, words }) => ({ at: at.toISOString(), kind, words })),
      frames: frames.map((frame) => ({
        name: frame.name,
        usedPhotos: frame.usedPhotos,
        photoLimit: photoLimitOf(frame),
        isFinalized: isFinalized(frame),
        videosReadyAt: frame.videosReadyAt?.toISOString() ?? null,
        hasVideos: framesWithDelivery.has(frame.id),
      })),
      estimatedDelivery: order.shippingAddress && !order.canceledAt ? await estimateDeliveryOf(order, frames) : null,
      hasReturns: showsReturns(order),
    };
  });

  const estimateDeliveryOf = async ({ gift }: Order, frames: Frame[]) =>
    estimateDelivery(await deliveryTimes(), photosDoneAt(frames) ?? clock.now(), gift?.shipOn);

  /** The frames for which add-ons among these orders were bought. */
  const findOrdersEnlargedBy = (orders: Order[]) =>
    framesByIds(
      db,
      orders.flatMap((it) => it.frameId ?? []),
    );

  /** The orders that a signed-in customer may review without the link of an email. */
  const readReviewPossibility = async (orders: Order[], customerId: string | undefined): Promise<ReviewPossibility> => {
    const ownOrders = orders.filter((it) => customerId !== undefined && it.customerId === customerId);
    const reviewableOrders = await filterReviewableOrders(db, ownOrders);
    const reviews = await readReviewsOfOrders(
      db,
      [...reviewableOrders].map((it) => it.id),
    );
    return { reviewableOrders, reviewedIds: new Set(reviews.map((it) => it.orderId)) };
  };

  mountOperation(app, 'GET /api/user', async ({ query, request }) => {
    const customer = await app.guards.findCustomer(request);
    const { orders } = await findReadableOrders(db, { session: query.session, customerId: customer?.id });
    const [latest] = orders;
    if (!latest && !customer) return null;
    const openedOrder = await findOrderOfToken(db, query.session);
    const isOrderOfOther =
      openedOrder && customer && openedOrder.customerId !== customer.id && openedOrder.email !== customer.email;
    const frames = await readFramesOfOrders(
      db,
      orders.map((it) => it.id),
    );
    return {
      id: customer?.id ?? latest!.id,
      firstName: openedOrder?.firstName ?? customer?.firstName ?? latest!.firstName,
      signedInAs: isOrderOfOther ? customer.email : null,
      photoLimit: sumBy(frames, photoLimitOf),
      uploadedPhotos: sumBy(frames, (it) => it.usedPhotos),
    };
  });
}

/** Events that contain names of photos. The customer sees them, but a holder of the order's token does not. */
const photoKinds: ReadonlySet<OrderEventKind> = new Set(['photo-added', 'photo-deleted', 'photo-replaced']);

/** The time at which the last frame was finalized. Undefined while any frame still waits for photos. */
function photosDoneAt(frames: Frame[]): Date | undefined {
  if (frames.some(isOrderWaitingFor)) return;
  return frames.reduce<Date | undefined>(
    (last, { finalizedAt: at }) => (at && (!last || at > last) ? at : last),
    undefined,
  );
}

interface ReviewPossibility {
  reviewableOrders: Set<Order>;
  /** Ids of orders that already have a review. */
  reviewedIds: Set<string>;
}

function orderView(order: Order, frames: Frame[], { reviewableOrders, reviewedIds }: ReviewPossibility): OrderView {
  const ownFrames = frames.filter((it) => (order.frameId === null ? it.orderId === order.id : it.id === order.frameId));
  return {
    ...purchaseView(order),
    extraPackages: order.extraPackages,
    email: order.email,
    status: order.status,
    isFinalized: ownFrames.length > 0 && !ownFrames.some(isOrderWaitingFor),
    mayReview: reviewableOrders.has(order),
    hasReview: reviewedIds.has(order.id),
  };
}
