import { eq, sql } from 'drizzle-orm';
import type { Cart } from '#contract/catalog.ts';
import { CustomerDetailsForm, type CustomerDetails } from '#contract/customer-details.ts';
import type { PhoneCustomer } from '#contract/phone-order-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import { readCart } from '../catalog/catalog.ts';
import { findOrderOfCheckout } from '../orders/orders.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { readToken } from '../tokens/tokens.ts';
import { addCheckoutBrowser, findCartById, findCheckoutIdByCookie } from './carts.ts';
import { cartReminders } from './cart-reminders.sql.ts';
import { phoneOrders } from './phone-orders.sql.ts';

interface OpenedCart {
  cart: Cart;
  promoCode: string | null;
  /** Undefined if the details are not complete. */
  customerDetails?: CustomerDetails;
  /** What the owner knows of the customer, if the details are not complete. */
  knownDetails?: PhoneCustomer;
  /** The new checkout cookie that makes the browser part of the link's checkout. Absent if it is part of it already. */
  checkoutToken?: string;
}

/**
 * The cart that a link in a reminder or of an order by phone opens, with the known details of its buyer, and nothing
 * else of the buyer. `checkoutToken` is the browser's checkout cookie. Counts the first time. The link still works
 * afterwards, because buyers open it on a second device.
 */
export async function openCartLink(
  scope: { db: Db; clock: Clock },
  token: string,
  checkoutToken: string | undefined,
): Promise<OpenedCart> {
  const foundToken = await readToken(scope.db, ['cart', 'payment-link'], token);
  if (!foundToken) throw new Refusal('cart-link-invalid');
  return foundToken.purpose === 'cart'
    ? openReminder(scope, foundToken.subjectId)
    : openPhoneOrder(scope, foundToken.subjectId, checkoutToken);
}

const markAsOpened = (column: typeof cartReminders.openedAt | typeof phoneOrders.openedAt, now: Date) =>
  sql`coalesce(${column}, ${now.toISOString()}::timestamptz)`;

async function openReminder({ db, clock }: { db: Db; clock: Clock }, id: string): Promise<OpenedCart> {
  const [reminder] = await db
    .update(cartReminders)
    .set({ openedAt: markAsOpened(cartReminders.openedAt, clock.now()) })
    .where(eq(cartReminders.id, id))
    .returning({ cartId: cartReminders.cartId });
  const cart = reminder && (await findCartById(db, reminder.cartId));
  if (!cart?.details) throw new Refusal('cart-link-invalid');
  return { cart: readCart(cart), promoCode: cart.promoCode, customerDetails: cart.details };
}

/**
 * Makes the browser part of the link's checkout. So all browsers that open the link lead to one order, even if two
 * people pay at the same moment: the second payment is refunded. A browser that opens the link again keeps its cookie,
 * because it may have started a payment with it.
 */
const openPhoneOrder = (
  { db, clock }: { db: Db; clock: Clock },
  id: string,
  checkoutToken: string | undefined,
): Promise<OpenedCart> =>
  db.transaction(async (tx) => {
    const [phoneOrder] = await tx
      .update(phoneOrders)
      .set({ openedAt: markAsOpened(phoneOrders.openedAt, clock.now()) })
      .where(eq(phoneOrders.id, id))
      .returning();
    if (!phoneOrder) throw new Refusal('cart-link-invalid');
    if (await findOrderOfCheckout(tx, phoneOrder.checkoutId)) throw new Refusal('payment-link-paid');
    const { customer } = phoneOrder;
    if (!customer || phoneOrder.canceledAt || phoneOrder.expiresAt <= clock.now())
      throw new Refusal('payment-link-over');
    const cart = readCart(phoneOrder);
    const details = CustomerDetailsForm.safeParse(customer).data;
    const isMember = (await findCheckoutIdByCookie({ db: tx, clock }, checkoutToken)) === phoneOrder.checkoutId;
    const hasNeededDetails = details && (cart.productId === 'byof' || details.address);
    return {
      cart,
      promoCode: phoneOrder.promoCode,
      ...(hasNeededDetails ? { customerDetails: details } : { knownDetails: customer }),
      ...(!isMember && { checkoutToken: await addCheckoutBrowser(tx, clock, phoneOrder.checkoutId) }),
    };
  });
