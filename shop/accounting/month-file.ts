/**
 * The monthly file for the accountant: one line for each payment, refund, dispute and fee, the sales tax by state, and a
 * comparison with the balance at the payment provider. Specification: part 3, Money.
 */
import { dayAfter, endOfDay } from '#contract/calendar.ts';
import { readDisputesBegun, disputesOfOrders, isMoneyWithdrawn, type Dispute } from '../refunds/disputes.ts';
import { readRefundsDecided, refundsOfOrders, type Refund } from '../refunds/refunds.ts';
import { salesTaxPlaceOf } from '../orders/sales-tax.ts';
import { ordersByIds, ordersOfPayments, readOrdersPlaced, type Order } from '../orders/orders.ts';
import { findPaymentMode, paymentsByIds, paymentsOfIntents, type Payment } from '../payments/payments.ts';
import type { BalanceTransaction, CardPayments } from '../ports/card-payments.ts';
import type { Db } from '../ports/database.ts';
import { refundedTaxOf } from './refunded-tax.ts';

/**
 * The kinds of lines, with their names in the file. A sold gift card is no sale: the shop owes its money until orders are
 * paid with it.
 */
export const lineKinds = {
  payment: 'Payment',
  'gift-card': 'Gift card sold',
  refund: 'Refund',
  'refund-failed': 'Refund returned',
  dispute: 'Dispute',
  'dispute-returned': 'Dispute returned',
  fee: 'Fee',
  'service-fee': 'Service fee',
  other: 'Other',
  payout: 'Payout',
} as const;
export type LineKind = keyof typeof lineKinds;

/** The names of differences between the shop's records and the provider's balance. */
export const differenceNames = {
  'payment-without-order': 'Payment without an order',
  'order-without-payment': 'Order without a payment in the balance',
  'payment-differs': 'The amount of the payment differs',
  'unknown-refund': 'Refund that the shop does not know',
  'refund-without-order': 'Refund of a payment without an order',
  'missing-refund': 'Refund that is not in the balance',
  'refund-differs': 'The amount of the refund differs',
  'unknown-dispute': 'Dispute that the shop does not know',
  'missing-dispute': 'Dispute that is not in the balance',
  'dispute-differs': 'The amount of the dispute differs',
  'fee-differs': 'The fee differs',
  'other-movement': 'Other movement on the balance',
} as const;
type DifferenceName = keyof typeof differenceNames;

/** A row of the file. Amounts are integer cents, positive if the shop gets the money. */
export interface MonthFileRow {
  section: 'Lines' | 'Totals' | 'Tax by state' | 'Check';
  kind: string;
  at: Date | null;
  orderNumber: string | null;
  place: string | null;
  /** Before the discount and the tax. Of a refund: the refunded amount without its tax. */
  itemsCents: number | null;
  discountCents: number | null;
  shippingCents: number | null;
  taxCents: number | null;
  /** The money according to the shop. */
  amountCents: number | null;
  /** The money according to the provider. */
  balanceCents: number | null;
  /** `balanceCents` minus `amountCents`. */
  differenceCents: number | null;
  intentId: string | null;
  reference: string | null;
  note: string | null;
}

interface Scope {
  db: Db;
  provider: CardPayments;
}
interface TimeSpan {
  from: Date;
  until: Date;
}

/**
 * The rows of one month of the shop's calendar (`2026-12`), in pages: first the lines, newest first, then the totals,
 * the tax by state and the check. The lines of a payment have the time at which the provider booked it. The pages are
 * made while the provider's balance is read. Only the sums, and the ids of what was booked, stay in memory.
 *
 * Rejects with the provider's error if the provider is unavailable.
 */
export async function* readMonthFile({ db, provider }: Scope, month: string): AsyncGenerator<MonthFileRow[], void> {
  const span = spanOfMonth(month);
  const sums = new Sums();
  const bookedIds = new Set<string>();
  for await (const page of provider.listBalanceTransactions(widenSpan(span))) {
    for (const { kind, intentId, subjectId } of page) {
      const id = kind === 'payment' ? intentId : subjectId;
      if (id !== undefined) bookedIds.add(id);
    }
    const bookingsOfMonth = page.filter((it) => it.createdAt >= span.from && it.createdAt < span.until);
    const lines = await createLines(db, bookingsOfMonth);
    for (const line of lines) sums.add(line);
    yield lines.map(toMonthFileRow);
  }
  for await (const lines of listLinesWithoutBooking({ db, provider }, span, bookedIds)) {
    for (const line of lines) sums.add(line);
    yield lines.map(toMonthFileRow);
  }
  yield sums.createRows();
}

export function spanOfMonth(month: string): TimeSpan {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const nextMonth = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
  return { from: endOfDay(dayAfter(`${month}-01`, -1)), until: endOfDay(dayAfter(`${nextMonth}-01`, -1)) };
}

/**
 * The provider books a payment shortly before the shop stores its order, and a refund shortly after the owner has
 * decided it. Near the ends of a month, the booking may be in the month before or after.
 */
const bookingToleranceMs = 3 * 86_400_000;
const widenSpan = ({ from, until }: TimeSpan): TimeSpan => ({
  from: new Date(from.getTime() - bookingToleranceMs),
  until: new Date(until.getTime() + bookingToleranceMs),
});

/** A line of the file, before it is formatted. */
interface MonthFileLine {
  kind: LineKind;
  at: Date;
  order?: Order | undefined;
  /** The parts of the amount. Without them, the amount is not a sale or a refund. */
  parts?: Pick<MonthFileRow, 'itemsCents' | 'discountCents' | 'shippingCents'> & { taxCents: number };
  amountCents: number;
  balanceCents: number;
  difference?: DifferenceName | undefined;
  intentId?: string | undefined;
  reference?: string | undefined;
  note?: string | undefined;
}

// ---------------------------------------------------------------- lines that the provider has booked

async function createLines(db: Db, transactions: BalanceTransaction[]): Promise<MonthFileLine[]> {
  const knownRecords = await readKnownRecords(db, transactions);
  return transactions.flatMap((it) =>
    it.currency === 'usd' ? createLinesOfTransaction(knownRecords, it) : [createForeignLine(it)],
  );
}

interface KnownShopRecords {
  payments: Map<string, Payment>;
  /** The key is the id of the payment. */
  orders: Map<string, Order>;
  /** The key is the id of the order. The oldest refund comes first. */
  refunds: Map<string, Refund[]>;
  /** The key is the dispute's id at the provider. */
  disputes: Map<string, Dispute>;
}

async function readKnownRecords(db: Db, transactions: BalanceTransaction[]): Promise<KnownShopRecords> {
  const intents = [...new Set(transactions.flatMap((it) => it.intentId ?? []))];
  const payments = await paymentsOfIntents(db, intents);
  const orders = await ordersOfPayments(
    db,
    payments.map((it) => it.id),
  );
  const ids = orders.map((it) => it.id);
  const [refunds, disputes] = await Promise.all([refundsOfOrders(db, ids), disputesOfOrders(db, ids)]);
  return {
    payments: new Map(payments.map((it) => [it.intentId!, it])),
    orders: new Map(orders.map((it) => [it.paymentId, it])),
    refunds: Map.groupBy(refunds, (it) => it.orderId),
    disputes: new Map(disputes.map((it) => [it.id, it])),
  };
}

function createLinesOfTransaction(knownRecords: KnownShopRecords, transaction: BalanceTransaction): MonthFileLine[] {
  const { id: reference, createdAt: at, intentId, amountCents: balanceCents, feeCents } = transaction;
  const payment = intentId === undefined ? undefined : knownRecords.payments.get(intentId);
  const order = payment && knownRecords.orders.get(payment.id);
  const lineFacts = { at, order, intentId, reference };
  const line = { ...lineFacts, balanceCents, ...findAgreedAmounts(knownRecords, transaction, payment, order) };
  if (feeCents === 0) return [line];
  // The fee of a payment is also in the shop's records, as soon as the provider has reported it.
  const ownFee = transaction.kind === 'payment' ? (payment?.feeCents ?? feeCents) : feeCents;
  const fee: MonthFileLine = {
    ...lineFacts,
    kind: 'fee',
    amountCents: -ownFee,
    balanceCents: -feeCents,
    ...(ownFee !== feeCents && { difference: 'fee-differs' }),
  };
  return [line, fee];
}

type AgreedAmounts = Pick<MonthFileLine, 'kind' | 'amountCents' | 'parts' | 'difference' | 'note'>;

/** The amount of a booked transaction according to the shop, and the name of the difference if there is one. */
function findAgreedAmounts(
  knownRecords: KnownShopRecords,
  transaction: BalanceTransaction,
  payment: Payment | undefined,
  order: Order | undefined,
): AgreedAmounts {
  const { kind, amountCents: cents, subjectId, category } = transaction;
  switch (kind) {
    case 'payment':
      if (payment?.purpose === 'gift-card')
        return {
          kind: 'gift-card',
          amountCents: payment.amountCents,
          ...(payment.amountCents !== cents && { difference: 'payment-differs' }),
        };
      if (!payment || !order)
        return { kind, amountCents: 0, difference: 'payment-without-order', note: describePaymentState(payment) };
      return {
        ...findAgreedSaleAmounts(payment, order),
        ...(payment.amountCents !== cents && { difference: 'payment-differs' }),
      };
    case 'refund':
    case 'refund-failed': {
      if (payment?.purpose === 'gift-card') return { kind, amountCents: cents, note: giftCardNote };
      if (!order)
        return {
          kind,
          amountCents: 0,
          difference: payment ? 'refund-without-order' : 'unknown-refund',
          note: describePaymentState(payment),
        };
      const refunds = knownRecords.refunds.get(order.id) ?? [];
      const refund = refunds.find((it) => it.providerRefundId === subjectId);
      if (!refund) return { kind, amountCents: 0, difference: 'unknown-refund' };
      const sign = kind === 'refund' ? -1 : 1;
      return {
        ...findAgreedRefundAmounts(kind, sign, order, refunds, refund),
        ...(sign * refund.amountCents !== cents && { difference: 'refund-differs' }),
      };
    }
    case 'dispute':
    case 'dispute-returned': {
      if (payment?.purpose === 'gift-card') return { kind, amountCents: cents, note: giftCardNote };
      const dispute = subjectId === undefined ? undefined : knownRecords.disputes.get(subjectId);
      if (!dispute) return { kind, amountCents: 0, difference: 'unknown-dispute' };
      const amountCents = kind === 'dispute' ? -dispute.amountCents : dispute.amountCents;
      return { kind, amountCents, ...(amountCents !== cents && { difference: 'dispute-differs' }) };
    }
    // The shop has no record of its own of these two, so the provider's amount counts.
    case 'service-fee':
    case 'payout':
      return { kind, amountCents: cents, note: toWords(category) };
    case 'other':
      return { kind, amountCents: 0, difference: 'other-movement', note: toWords(category) };
  }
}

/** The note of a line about the purchase of a gift card. */
const giftCardNote = 'Gift card';
const toWords = (category: string) => category.replaceAll('_', ' ');
const describePaymentState = (payment: Payment | undefined) =>
  payment ? `The payment is ${payment.state} in the shop` : 'Not a payment of this shop';

/** What was sold for a payment. Shipping is what the total contains apart from goods and tax. */
function findAgreedSaleAmounts(payment: Payment, order: Order): AgreedAmounts {
  const { subtotalCents, discountCents, taxCents, totalCents } = order;
  return {
    kind: 'payment',
    amountCents: payment.amountCents,
    parts: {
      itemsCents: subtotalCents,
      discountCents: discountCents === 0 ? 0 : -discountCents,
      shippingCents: totalCents - taxCents - (subtotalCents - discountCents),
      taxCents,
    },
  };
}

function findAgreedRefundAmounts(
  kind: LineKind,
  sign: 1 | -1,
  order: Order,
  refunds: Refund[],
  refund: Refund,
): AgreedAmounts {
  const taxCents = refundedTaxOf(order, refunds, refund);
  return {
    kind,
    amountCents: sign * refund.amountCents,
    parts: {
      itemsCents: sign * (refund.amountCents - taxCents),
      discountCents: null,
      shippingCents: null,
      taxCents: taxCents === 0 ? 0 : sign * taxCents,
    },
  };
}

/** The file has dollars only. An amount in another currency is named, and counts in no sum. */
const createForeignLine = ({
  id,
  createdAt,
  intentId,
  amountCents,
  feeCents,
  currency,
  category,
}: BalanceTransaction): MonthFileLine => ({
  kind: 'other',
  at: createdAt,
  amountCents: 0,
  balanceCents: 0,
  intentId,
  reference: id,
  note: `${toWords(category)}: ${((amountCents - feeCents) / 100).toFixed(2)} ${currency.toUpperCase()}, not in any total`,
});

// ---------------------------------------------------------------- lines that the provider has not booked

const ordersAtOnce = 500;

/** Orders, refunds and disputes of the month that are not on the balance. */
async function* listLinesWithoutBooking(
  { db, provider }: Scope,
  span: TimeSpan,
  booked: Set<string>,
): AsyncGenerator<MonthFileLine[]> {
  const account = await provider.readAccountId();
  const mode = findPaymentMode(provider);
  /** Payments of another mode or account are on another balance. */
  const isOnThisBalance = (payment: Payment | undefined): payment is Payment =>
    payment?.mode === mode && (account === null || payment.account === null || payment.account === account);
  const readPaymentsOf = async (orders: Order[]) =>
    new Map(
      (
        await paymentsByIds(
          db,
          orders.map((it) => it.paymentId),
        )
      ).map((it) => [it.id, it]),
    );
  const lastMoment = new Date(span.until.getTime() - 1);
  for (let after: Order | undefined; ;) {
    const page: Order[] = await readOrdersPlaced(db, { from: span.from, to: lastMoment, after, limit: ordersAtOnce });
    const missingOrders = page.filter((it) => !booked.has(it.stripePaymentIntentId));
    const payments = await readPaymentsOf(missingOrders);
    yield missingOrders.flatMap((order): MonthFileLine[] => {
      const payment = payments.get(order.paymentId);
      if (!isOnThisBalance(payment)) return [];
      const lineFacts = { at: order.createdAt, order, intentId: order.stripePaymentIntentId, balanceCents: 0 };
      // Gift cards paid the whole order, so there is nothing on the balance.
      if (payment.amountCents === 0)
        return [{ ...lineFacts, ...findAgreedSaleAmounts(payment, order), note: 'Paid with gift cards' }];
      return [{ ...lineFacts, ...findAgreedSaleAmounts(payment, order), difference: 'order-without-payment' }];
    });
    if (page.length < ordersAtOnce) break;
    after = page.at(-1);
  }
  for await (const page of readRefundsDecided(db, span)) {
    const missingOrders = page.filter(
      (it) => it.state !== 'failed' && (it.providerRefundId === null || !booked.has(it.providerRefundId)),
    );
    yield await findMissingLines(missingOrders, (it, order, ofOrder) => ({
      ...findAgreedRefundAmounts('refund', -1, order, ofOrder, it),
      ...(it.giftCards === null
        ? {
            difference: 'missing-refund' as const,
            note: it.state === 'succeeded' ? undefined : 'The payment provider has not confirmed it yet',
          }
        : { amountCents: 0, note: 'Back to gift cards' }),
    }));
  }
  const disputes = (await readDisputesBegun(db, span)).filter((it) => isMoneyWithdrawn(it) && !booked.has(it.id));
  yield await findMissingLines(disputes, (it) => ({
    kind: 'dispute',
    amountCents: -it.amountCents,
    difference: 'missing-dispute',
  }));

  async function findMissingLines<Row extends { id: string; orderId: string; createdAt: Date }>(
    missingOrders: Row[],
    of: (row: Row, order: Order, refunds: Refund[]) => AgreedAmounts,
  ): Promise<MonthFileLine[]> {
    const ids = [...new Set(missingOrders.map((it) => it.orderId))];
    const orders = await ordersByIds(db, ids);
    const [payments, refunds] = await Promise.all([readPaymentsOf(orders), refundsOfOrders(db, ids)]);
    const ordersById = new Map(orders.map((it) => [it.id, it]));
    const refundsByOrder = Map.groupBy(refunds, (it) => it.orderId);
    return missingOrders.flatMap((it): MonthFileLine[] => {
      const order = ordersById.get(it.orderId)!;
      if (!isOnThisBalance(payments.get(order.paymentId))) return [];
      const lineFacts = { at: it.createdAt, order, intentId: order.stripePaymentIntentId, balanceCents: 0 };
      return [{ ...lineFacts, ...of(it, order, refundsByOrder.get(order.id) ?? []) }];
    });
  }
}

// ---------------------------------------------------------------- rows and sums

function toMonthFileRow(line: MonthFileLine): MonthFileRow {
  const { kind, at, order, parts, amountCents, balanceCents, difference } = line;
  return {
    ...emptyRow,
    section: 'Lines',
    kind: lineKinds[kind],
    at,
    orderNumber: order?.orderNumber ?? null,
    place: order ? salesTaxPlaceOf(order) : null,
    ...parts,
    amountCents,
    balanceCents,
    differenceCents: balanceCents - amountCents,
    intentId: line.intentId ?? null,
    reference: line.reference ?? null,
    note: [difference && differenceNames[difference], line.note].filter((it) => it !== undefined).join('. ') || null,
  };
}

const emptyRow: Omit<MonthFileRow, 'section' | 'kind'> = {
  at: null,
  orderNumber: null,
  place: null,
  itemsCents: null,
  discountCents: null,
  shippingCents: null,
  taxCents: null,
  amountCents: null,
  balanceCents: null,
  differenceCents: null,
  intentId: null,
  reference: null,
  note: null,
};

interface Sum {
  lines: number;
  itemsCents: number;
  discountCents: number;
  shippingCents: number;
  taxCents: number;
  amountCents: number;
  balanceCents: number;
}
const emptySum: Sum = {
  lines: 0,
  itemsCents: 0,
  discountCents: 0,
  shippingCents: 0,
  taxCents: 0,
  amountCents: 0,
  balanceCents: 0,
};
const addSums = (one: Sum, other: Sum): Sum => ({
  lines: one.lines + other.lines,
  itemsCents: one.itemsCents + other.itemsCents,
  discountCents: one.discountCents + other.discountCents,
  shippingCents: one.shippingCents + other.shippingCents,
  taxCents: one.taxCents + other.taxCents,
  amountCents: one.amountCents + other.amountCents,
  balanceCents: one.balanceCents + other.balanceCents,
});

/** Kinds that are sales, or take sales back. Only these have parts and a tax. */
const sales: readonly LineKind[] = ['payment', 'refund', 'refund-failed'];
const unknownPlace = 'Not known';

/** Adds up the lines. Its size depends on the number of kinds and states, not on the number of lines. */
class Sums {
  readonly #byKind = new Map<LineKind, Sum>();
  readonly #byPlace = new Map<string, { payments: Sum; refunds: Sum }>();
  readonly #differences = new Map<DifferenceName, { lines: number; cents: number }>();

  add({ kind, order, parts, amountCents, balanceCents, difference }: MonthFileLine): void {
    const sum: Sum = {
      lines: 1,
      itemsCents: parts?.itemsCents ?? 0,
      discountCents: parts?.discountCents ?? 0,
      shippingCents: parts?.shippingCents ?? 0,
      taxCents: parts?.taxCents ?? 0,
      amountCents,
      balanceCents,
    };
    this.#byKind.set(kind, addSums(this.#byKind.get(kind) ?? emptySum, sum));
    if (difference) {
      const sumsBefore = this.#differences.get(difference) ?? { lines: 0, cents: 0 };
      this.#differences.set(difference, {
        lines: sumsBefore.lines + 1,
        cents: sumsBefore.cents + balanceCents - amountCents,
      });
    }
    if (!order || !parts) return;
    const taxPlace = salesTaxPlaceOf(order) ?? unknownPlace;
    const sumsOfPlace = this.#byPlace.get(taxPlace) ?? { payments: emptySum, refunds: emptySum };
    const sumsKey = kind === 'payment' ? 'payments' : 'refunds';
    this.#byPlace.set(taxPlace, { ...sumsOfPlace, [sumsKey]: addSums(sumsOfPlace[sumsKey], sum) });
  }

  createRows(): MonthFileRow[] {
    return [...this.#createTotalRows(), ...this.#createTaxRows(), ...this.#createCheckRows()];
  }

  #sumOfKinds(kinds: readonly LineKind[]): Sum {
    return kinds.map((it) => this.#byKind.get(it) ?? emptySum).reduce(addSums, emptySum);
  }

  #createTotalRows(): MonthFileRow[] {
    const rowsOfKinds = (Object.keys(lineKinds) as LineKind[])
      .filter((it) => this.#byKind.has(it))
      .map((it) => createTotalRow('Totals', lineKinds[it], this.#sumOfKinds([it]), sales.includes(it)));
    return [
      ...rowsOfKinds,
      createTotalRow('Totals', 'Sales after refunds', this.#sumOfKinds(sales), true),
      createTotalRow('Totals', 'All lines without payouts', this.#sumOfKinds(movementKinds), false),
    ];
  }

  #createTaxRows(): MonthFileRow[] {
    return [...this.#byPlace]
      .toSorted(([one], [other]) => comparePlaces(one, other))
      .flatMap(([place, { payments, refunds }]) => [
        { ...createTotalRow('Tax by state', 'Payments', payments, true), place },
        { ...createTotalRow('Tax by state', 'Refunds', refunds, true), place },
        { ...createTotalRow('Tax by state', 'After refunds', addSums(payments, refunds), true), place },
      ]);
  }

  #createCheckRows(): MonthFileRow[] {
    const { amountCents, balanceCents } = this.#sumOfKinds(movementKinds);
    const namedDifferences = [...this.#differences];
    const namedCents = namedDifferences.reduce((sum, [, { cents }]) => sum + cents, 0);
    return [
      { ...emptyRow, section: 'Check', kind: 'Sum of the lines', amountCents },
      { ...emptyRow, section: 'Check', kind: 'Balance at the payment provider', balanceCents },
      {
        ...emptyRow,
        section: 'Check',
        kind: 'Difference',
        differenceCents: balanceCents - amountCents,
        note: namedDifferences.length === 0 ? 'Every line agrees' : 'The next rows explain it',
      },
      ...namedDifferences.map(([name, { lines, cents }]) => ({
        ...emptyRow,
        section: 'Check' as const,
        kind: differenceNames[name],
        differenceCents: cents,
        note: `${lines} ${lines === 1 ? 'line' : 'lines'}`,
      })),
      {
        ...emptyRow,
        section: 'Check',
        kind: 'Difference without an explanation',
        differenceCents: balanceCents - amountCents - namedCents,
      },
    ];
  }
}

const movementKinds = (Object.keys(lineKinds) as LineKind[]).filter((it) => it !== 'payout');

function createTotalRow(section: MonthFileRow['section'], kind: string, sum: Sum, hasParts: boolean): MonthFileRow {
  const { lines, itemsCents, discountCents, shippingCents, taxCents, amountCents, balanceCents } = sum;
  return {
    ...emptyRow,
    section,
    kind,
    ...(hasParts && { itemsCents, discountCents, shippingCents, taxCents }),
    amountCents,
    balanceCents,
    differenceCents: balanceCents - amountCents,
    note: `${lines} ${lines === 1 ? 'line' : 'lines'}`,
  };
}

/** By name, with the unknown place last. */
const comparePlaces = (one: string, other: string) =>
  Number(one === unknownPlace) - Number(other === unknownPlace) || one.localeCompare(other);
