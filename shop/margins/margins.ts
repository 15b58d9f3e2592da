import { toShopDay } from '#contract/calendar.ts';
import type { MonthMargin, OrderMargin } from '#contract/owner/margins.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { shippingAndTaxOf, type Order } from '../orders/orders.ts';
import { readFeesOf } from '../payments/fees.ts';
import { readCostOfOrders } from '../production/spending.ts';
import { disputesOfOrders, isMoneyWithdrawn } from '../refunds/disputes.ts';
import { selectLabelsByMonth, selectMarginsByMonth, selectPaidVideosByMonth } from '../tallies/margin-tallies.ts';
import { listMonths, spanOfYearUntil } from '../tallies/spans.ts';

/** Costs from the settings, in cents; undefined if a cost is not configured. */
export interface Costs {
  frameCents: number | undefined;
  parcelCents: number | undefined;
}

/** The margin of each of these orders: what is left after all known costs. */
export async function readMarginsOfOrders(db: Db, costs: Costs, orders: Order[]): Promise<Map<string, OrderMargin>> {
  const ids = orders.map((it) => it.id);
  const [facts, fees, films, disputes] = await Promise.all([
    shippingAndTaxOf(db, ids),
    readFeesOf(
      db,
      orders.map((it) => it.paymentId),
    ),
    readCostOfOrders(db, ids),
    disputesOfOrders(db, ids),
  ]);
  const factsById = new Map(facts.map((it) => [it.id, it]));
  const videosByOrder = Map.groupBy(films, (it) => it.orderId);
  const lostDisputesByOrder = Map.groupBy(disputes.filter(isMoneyWithdrawn), (it) => it.orderId);
  return new Map(
    orders.map((order) => {
      const { keptTaxCents = 0, framesSent = 0 } = factsById.get(order.id) ?? {};
      const fee = fees.get(order.paymentId);
      return [
        order.id,
        computeMargin(costs, {
          orders: 1,
          paidCents: order.totalCents,
          refundedCents: order.refundedCents,
          disputedCents: sumOf((lostDisputesByOrder.get(order.id) ?? []).map((it) => it.amountCents)),
          taxCents: keptTaxCents,
          frames: framesSent,
          parcels: framesSent > 0 ? 1 : 0,
          labels: framesSent > 0 && order.labelCents !== null ? 1 : 0,
          labelCents: order.labelCents ?? 0,
          fees: fee === undefined ? 0 : 1,
          feeCents: fee ?? 0,
          films: videosByOrder.get(order.id) ?? [],
        }),
      ];
    }),
  );
}

/**
 * The margins by month for this month and the eleven months before it, latest first. Months before the first order are
 * left out.
 */
export async function readMarginsOfMonths(
  { db, clock }: { db: Db; clock: Clock },
  costs: Costs,
): Promise<MonthMargin[]> {
  const span = spanOfYearUntil(toShopDay(clock.now()));
  const [months, films, labels] = await Promise.all([
    selectMarginsByMonth(db, span),
    selectPaidVideosByMonth(db, span),
    selectLabelsByMonth(db, span),
  ]);
  const moneyByMonth = new Map(months.map(({ month, ...money }) => [month, money]));
  const labelsOfMonth = new Map(labels.map(({ month, ...money }) => [month, money]));
  const videosByMonth = Map.groupBy(films, (it) => it.month);
  return listMonths(span)
    .filter((month) => months[0] !== undefined && month >= months[0].month)
    .map((month) => ({
      month,
      ...computeMargin(costs, {
        ...emptyMarginAmounts,
        ...moneyByMonth.get(month),
        ...labelsOfMonth.get(month),
        films: videosByMonth.get(month) ?? [],
      }),
    }))
    .toReversed();
}

interface MarginAmounts {
  orders: number;
  paidCents: number;
  refundedCents: number;
  disputedCents: number;
  taxCents: number;
  frames: number;
  parcels: number;
  /** The parcels whose label was bought here, and the cost of all labels. */
  labels: number;
  labelCents: number;
  fees: number;
  feeCents: number;
  films: { animator: string; videos: number; cents: number }[];
}

const emptyMarginAmounts: MarginAmounts = {
  orders: 0,
  paidCents: 0,
  refundedCents: 0,
  disputedCents: 0,
  taxCents: 0,
  frames: 0,
  parcels: 0,
  labels: 0,
  labelCents: 0,
  fees: 0,
  feeCents: 0,
  films: [],
};

function computeMargin(costs: Costs, money: MarginAmounts): OrderMargin {
  const frameCost = multiplyCost(money.frames, costs.frameCents);
  // The price of a label replaces the owner's figure for one package.
  const otherCost = multiplyCost(money.parcels - money.labels, costs.parcelCents);
  const parcelCost = otherCost === null ? null : otherCost + money.labelCents;
  const videos = money.films.map(({ animator, videos, cents }) => ({ animator, videos, amount: cents }));
  const spentCents = [
    money.refundedCents,
    money.disputedCents,
    money.taxCents,
    money.feeCents,
    ...videos.map((it) => it.amount),
    frameCost ?? 0,
    parcelCost ?? money.labelCents,
  ];
  return {
    orders: money.orders,
    paid: money.paidCents,
    refunded: money.refundedCents,
    disputed: money.disputedCents,
    tax: money.taxCents,
    fee: money.feeCents,
    unknownFees: money.orders - money.fees,
    videos,
    frames: money.frames,
    frameCost,
    parcels: money.parcels,
    parcelCost,
    labelCost: money.labelCents,
    left: money.paidCents - sumOf(spentCents),
  };
}

/** Returns null for a cost that is not configured, and 0 if there is nothing to pay for. */
const multiplyCost = (count: number, cents: number | undefined) =>
  count === 0 ? 0 : cents === undefined ? null : count * cents;
const sumOf = (all: number[]) => all.reduce((a, b) => a + b, 0);
