import { and, eq } from 'drizzle-orm';
import { includedPhotoCounts, pricesInCents } from '#contract/catalog.ts';
import type { TaxLocation } from '#contract/customer-details.ts';
import type { OrderLine } from '#contract/orders.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import type { CardPayments, TaxCalculation, RequestDeadline } from '../ports/card-payments.ts';
import { lockCustomer } from '../accounts/lock-customer.ts';
import { requestIntent, providerTimeoutMs } from '../checkout/request-intent.ts';
import type { CheckoutScope } from '../checkout/checkout.ts';
import { newId } from '../columns.ts';
import { findFrameById, lockFrame, type Frame } from '../frames/frames.ts';
import {
  hasLostGiftCard,
  reserveGiftCardShares,
  lockGiftCardShares,
  type GiftCardShare,
} from '../gift-cards/spending.ts';
import { findOrderById, type Order } from '../orders/orders.ts';
import { freePaymentName, freePaymentOf, isFreePaymentName, settleFreePayment } from '../payments/free-payments.ts';
import {
  freezePayment,
  asPaymentUnavailable,
  asPaymentUnconfirmed,
  findPaymentMode,
  findPayablePayments,
  type Payment,
  type PaymentScope,
} from '../payments/payments.ts';
import { settleIntentById } from '../payments/settle.ts';
import { addons, type Addon } from './addons.sql.ts';
import { findAddonById } from './place-addon.ts';

interface RequestedAddon {
  frameId: string;
  packages: number;
  taxLocation?: TaxLocation | undefined;
  /** The codes of gift cards, in the order in which they pay. */
  giftCards?: string[] | undefined;
}
export interface StartedAddon {
  addon: Addon;
  frame: Frame;
  /** The provider's intent or, if gift cards pay everything, the name of the payment. */
  intentId: string;
  clientSecret: string;
  giftCards: GiftCardShare[];
}

/** The payment sweep closes a payment intent that is still unpaid after this time. */
const unpaidHours = 24;

/**
 * Starts the payment of extra packages for a frame: calculates the price, stores it, then requests the payment intent
 * from the provider. The customer's earlier intents for this frame are replaced: a job cancels them, and settles an
 * intent that was paid in the meantime. Returns 404 for another customer's frame, so that other customers' ids are not
 * revealed.
 *
 * Gift cards reduce the amount of the intent. If they pay the whole total, there is no intent, and `verifyAddon` adds
 * the places (docs/decisions/0121-gift-cards.md).
 */
export async function startAddon(
  { collectsTax, ...scope }: CheckoutScope,
  { frameId, packages, taxLocation, giftCards = [] }: RequestedAddon,
  customerId: string,
): Promise<StartedAddon> {
  const { db, clock, jobs, provider } = scope;
  const deadline = AbortSignal.timeout(providerTimeoutMs);
  const { frame, order } = await findOwnedFrame(scope, frameId, customerId);
  const lines = createOrderLines(frame, packages);
  const subtotalCents = lines.reduce((sum, it) => sum + it.amountCents, 0);
  // A gift was shipped to another person, so its address does not apply.
  const address = taxLocation ?? (order.gift ? null : order.shippingAddress);
  const tax = collectsTax ? await calculateAddonTax(provider, lines, address, { deadline }) : undefined;
  const taxCents = tax?.taxCents ?? 0;
  const { addon, payment, account, shares } = await db.transaction(async (tx) => {
    await lockFrame(tx, frameId); // the lock makes the later of two concurrent starts replace the earlier one
    const account = await lockCustomer(tx, customerId);
    if (!account) throw new Refusal('not-found'); // the account was deleted during the tax request
    const earlierAddons = await tx
      .select({ id: addons.id })
      .from(addons)
      .where(and(eq(addons.frameId, frameId), eq(addons.customerId, customerId)));
    const earlierIds = earlierAddons.map((it) => it.id);
    const replacedPayments = await findPayablePayments(tx, 'add-on', earlierIds);
    const totalCents = subtotalCents + taxCents;
    const giftCardShares = await lockGiftCardShares(tx, clock, giftCards, {
      dueCents: totalCents,
      ownCartIds: earlierIds,
    });
    const giftCardCents = giftCardShares.reduce((sum, it) => sum + it.amountCents, 0);
    const addon: Addon = {
      id: newId(),
      customerId,
      frameId,
      packages,
      lines,
      subtotalCents,
      taxCents,
      taxRate: tax?.rate ?? null,
      taxJurisdiction: tax?.jurisdiction ?? null,
      taxCalculationId: tax?.id ?? null,
      totalCents,
      giftCardCents,
      createdAt: clock.now(),
    };
    await tx.insert(addons).values(addon);
    await reserveGiftCardShares(tx, clock, addon.id, giftCardShares, earlierIds);
    const payment = await freezePayment(tx, clock, {
      purpose: 'add-on',
      purposeId: addon.id,
      email: account.email,
      amountCents: totalCents - giftCardCents,
      currency: 'usd',
      mode: findPaymentMode(provider),
      expiresAt: new Date(clock.now().getTime() + unpaidHours * 3_600_000),
    });
    if (replacedPayments.length > 0)
      await jobs.enqueueAll(
        tx,
        'cancel-payment',
        replacedPayments.map(({ id }) => ({ paymentId: id })),
      );
    return { addon, payment, account, shares: giftCardShares };
  });
  const startedAddon = { addon, frame, giftCards: shares };
  if (payment.amountCents === 0) return { ...startedAddon, intentId: freePaymentName(payment), clientSecret: '' };
  const intent = await requestIntent(
    { db, clock, provider, deadline },
    { payment, account },
    {
      amountCents: payment.amountCents,
      currency: 'usd',
      description: lines.map((line) => `${line.quantity} x ${line.label}`).join(', '),
      metadata: { payment_id: payment.id },
      // The gift cards may have been spent elsewhere in the meantime, which is checked after the authorization, too.
      isCapturedLater: shares.length > 0,
      // A calculation is for the whole total. The shop's own report of the sales tax contains every order.
      ...(tax && shares.length === 0 && { taxCalculationId: tax.id }),
    },
  ).catch(asPaymentUnavailable);
  return { ...startedAddon, intentId: intent.id, clientSecret: intent.clientSecret };
}

async function findOwnedFrame(
  { db }: Pick<CheckoutScope, 'db'>,
  frameId: string,
  customerId: string,
): Promise<{ frame: Frame; order: Order }> {
  const frame = await findFrameById(db, frameId);
  const order = frame && (await findOrderById(db, frame.orderId));
  if (!frame || order?.customerId !== customerId) throw new Refusal('not-found');
  if (!frame.isActive || order.canceledAt !== null) throw new Refusal('frame-refunded');
  return { frame, order };
}

const createOrderLines = (frame: Frame, packages: number): OrderLine[] => [
  {
    label: `+${includedPhotoCounts.extraPackage} AI Photo Package for ${frame.name}`,
    quantity: packages,
    unitCents: pricesInCents.extraPackage,
    amountCents: pricesInCents.extraPackage * packages,
  },
];

/**
 * Calculates the tax on extra packages. They are a service, taxed at the address to which the frame was shipped, or
 * where the buyer lives.
 */
async function calculateAddonTax(
  provider: CardPayments,
  lines: OrderLine[],
  address: TaxLocation | Order['shippingAddress'],
  within: RequestDeadline,
): Promise<TaxCalculation> {
  if (!address) throw new Refusal('tax-location-needed');
  const calculation = await provider
    .calculateTax(
      {
        currency: 'usd',
        lines: lines.map(({ quantity, amountCents }, index) => ({
          reference: `line-${index + 1}`,
          kind: 'service',
          quantity,
          amountCents,
        })),
        address,
        addressSource: 'billing',
      },
      within,
    )
    .catch(asPaymentUnavailable);
  if (!calculation) throw new Refusal('tax-location-unknown');
  return calculation;
}

export type VerifiedAddon = { state: 'processing' } | { state: 'paid'; addon: Addon };

/**
 * Handles a browser that returns from paying. Any customer who knows the id of an intent can trigger its settlement,
 * but only the buyer gets the result. If gift cards pay everything, there is no intent: this call of the buyer then adds
 * the places.
 */
export async function verifyAddon(scope: PaymentScope, intentId: string, customerId: string): Promise<VerifiedAddon> {
  if (isFreePaymentName(intentId)) return payAddonWithGiftCards(scope, intentId, customerId);
  const settlement = await settleIntentById(scope, intentId);
  if (settlement.state === 'processing') return settlement;
  const { payment } = settlement;
  const addon = await ownAddonOf(scope.db, payment, customerId);
  if (settlement.state === 'unpaid') {
    const isGiftCardLost = addon && settlement.status === 'canceled' && (await hasLostGiftCard(scope.db, addon.id));
    throw new Refusal(isGiftCardLost ? 'gift-card-lost' : 'payment-not-finished');
  }
  if (!addon) throw new Refusal('payment-not-found');
  if (payment.state !== 'settled') throw new Refusal('addon-given-back');
  return { state: 'paid', addon };
}

async function payAddonWithGiftCards(scope: PaymentScope, name: string, customerId: string): Promise<VerifiedAddon> {
  const payment = await freePaymentOf(scope.db, name);
  const addon = payment && (await ownAddonOf(scope.db, payment, customerId));
  if (!addon) throw new Refusal('payment-not-found');
  const { state } = await settleFreePayment(scope, name, 'add-on');
  if (state === 'settled') return { state: 'paid', addon };
  if (state === 'refunded') throw new Refusal('frame-refunded');
  throw new Refusal((await hasLostGiftCard(scope.db, addon.id)) ? 'gift-card-lost' : 'payment-not-finished');
}

/** The add-on that a payment is for. Undefined if it is another customer's, or if the payment is for something else. */
async function ownAddonOf(db: Db, payment: Payment, customerId: string): Promise<Addon | undefined> {
  const addon = payment.purpose === 'add-on' ? await findAddonById(db, payment.purposeId) : undefined;
  return addon?.customerId === customerId ? addon : undefined;
}

/**
 * Handles a browser that returns from the provider's own checkout page. Anyone can change the address of the return
 * page, so the shop queries the provider whether the payment succeeded.
 */
export async function verifyAddonSession(
  scope: PaymentScope,
  sessionId: string,
  customerId: string,
): Promise<VerifiedAddon> {
  const session = await scope.provider.getCheckoutSession(sessionId).catch(asPaymentUnconfirmed);
  if (!session) throw new Refusal('payment-not-found');
  if (session.intentId === undefined) throw new Refusal('payment-not-finished');
  return verifyAddon(scope, session.intentId, customerId);
}
