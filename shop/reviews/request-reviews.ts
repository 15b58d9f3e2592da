import { endOfDay } from '#contract/calendar.ts';
import { kinframe, type DeliveryTimes } from '#contract/catalog.ts';
import type { Content } from '#contract/content.ts';
import { lifetimes } from '#contract/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { ReadContent } from '../content/content.ts';
import { readFramesOfOrders, listFramesWithReadyVideos, type Frame } from '../frames/frames.ts';
import { findEventsWithMail, queueMails, type NewMail } from '../mail/mail.ts';
import { estimateArrival } from '../orders/delivery-estimate.ts';
import { isFullyRefunded, findUnsubscribedAddresses, ordersByIds, type Order } from '../orders/orders.ts';

const dayMs = 86_400_000;
const pageSize = 500;

interface ReviewRequestScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  readContent: ReadContent;
  deliveryTimes: () => Promise<DeliveryTimes>;
}

/**
 * The daily job that asks buyers for a review, two weeks after their order was completely delivered, once per order. It
 * skips refunded orders, customers who unsubscribed from reminders, and orders with erased frames. For a gift, it asks
 * the buyer and never the recipient.
 */
export async function requestReviews(scope: ReviewRequestScope): Promise<void> {
  const { db, clock } = scope;
  const now = clock.now().getTime();
  const computeTimeDaysAgo = (days: number) => new Date(now - days * dayMs);
  const span = {
    from: computeTimeDaysAgo(lifetimes.reviewGivenUpDays),
    to: computeTimeDaysAgo(lifetimes.reviewAskedDays),
  };
  const products = await scope.readContent('products');
  const deliveryTimes = await scope.deliveryTimes();
  let last: Frame | undefined;
  do {
    const page = await listFramesWithReadyVideos(db, { ...span, after: last, limit: pageSize });
    const orderIds = [...new Set(page.map((it) => it.orderId))];
    await db.transaction(async (tx) =>
      queueMails(tx, scope, await findReviewRequests(tx, deliveryTimes, orderIds, span.to, products)),
    );
    last = page.length === pageSize ? page.at(-1) : undefined;
  } while (last);
}

async function findReviewRequests(
  tx: Db,
  deliveryTimes: DeliveryTimes,
  orderIds: string[],
  deliveredBy: Date,
  products: Content<'products'>,
): Promise<NewMail[]> {
  const orders = await ordersByIds(tx, orderIds);
  const framesByOrder = Map.groupBy(await readFramesOfOrders(tx, orderIds), (it) => it.orderId);
  const dueOrders = orders.filter((order) => {
    const deliveredTime = findDeliveryTime(deliveryTimes, order, framesByOrder.get(order.id)!);
    return deliveredTime && deliveredTime <= deliveredBy && !isFullyRefunded(order) && order.canceledAt === null;
  });
  const requestedEvents = await findEventsWithMail(tx, dueOrders.map(createRequestEvent));
  const notRequested = dueOrders.filter((order) => !requestedEvents.has(createRequestEvent(order)));
  const unsubscribedAddresses = await findUnsubscribedAddresses(
    tx,
    notRequested.map((it) => it.email),
  );
  return notRequested
    .filter((order) => !unsubscribedAddresses.has(order.email))
    .map((order) => ({
      event: createRequestEvent(order),
      to: order.email,
      orderId: order.id,
      content: {
        kind: 'review-request',
        firstName: order.firstName,
        productName: products.find((it) => it.id === findReviewedProduct(order))?.name ?? 'Kinframe',
        isService: findReviewedProduct(order) === 'byof',
        orderNumber: order.orderNumber,
        recipientName: order.gift?.recipientName,
        reviewUrl: { link: 'review', subjectId: order.id },
        unsubscribeUrl: { link: 'unsubscribe', subjectId: order.id },
      },
    }));
}

/** Returns the orders that may be reviewed: orders for which a review request was queued. */
export async function filterReviewableOrders(db: Db, orders: Order[]): Promise<Set<Order>> {
  const requestedEvents = await findEventsWithMail(db, orders.map(createRequestEvent));
  return new Set(orders.filter((it) => requestedEvents.has(createRequestEvent(it))));
}
const createRequestEvent = ({ id }: Order) => `review-request:${id}`;

/** The product that a review of this order is about: `byof` for a customer’s own frame, otherwise the Kinframe. */
export const findReviewedProduct = ({ productType }: Pick<Order, 'productType'>) =>
  productType === 'byof' ? ('byof' as const) : kinframe;

/** When the last frame of an order was delivered; undefined if a frame is not delivered yet or was erased. */
function findDeliveryTime(times: DeliveryTimes, order: Pick<Order, 'shippedAt'>, frames: Frame[]): Date | undefined {
  const arrivalTimes = frames.filter((it) => it.isActive).map((frame) => findFrameArrival(times, order, frame));
  if (arrivalTimes.length === 0 || arrivalTimes.some((it) => it === undefined)) return undefined;
  return new Date(Math.max(...arrivalTimes.map(Number)));
}

/**
 * When a frame with its videos was delivered. If it is known when the videos were put on the frame, that time is used.
 * Otherwise, it is the later of the package's estimated arrival and the time when the videos were ready. A byof frame
 * is delivered when its videos are ready. Undefined if the frame is not delivered or is erased.
 */
function findFrameArrival(
  times: DeliveryTimes,
  { shippedAt }: Pick<Order, 'shippedAt'>,
  frame: Frame,
): Date | undefined {
  const { videosReadyAt, erasedAt, deliveredAt: filledAt, deviceType } = frame;
  if (videosReadyAt === null || erasedAt !== null) return undefined;
  if (filledAt !== null) return filledAt;
  if (deviceType === 'byof') return videosReadyAt;
  if (shippedAt === null) return undefined;
  const arrivalAt = endOfDay(estimateArrival(times, shippedAt).to);
  return arrivalAt > videosReadyAt ? arrivalAt : videosReadyAt;
}
