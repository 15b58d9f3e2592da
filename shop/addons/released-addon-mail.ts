import { and, eq, gt } from 'drizzle-orm';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { findCustomerById } from '../accounts/accounts.ts';
import { findFrameById } from '../frames/frames.ts';
import { hasLostGiftCard } from '../gift-cards/spending.ts';
import { queueMail } from '../mail/mail.ts';
import { lockPayment } from '../payments/payments.ts';
import { addons } from './addons.sql.ts';
import { findAddonById } from './place-addon.ts';

interface Scope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  link: (path: string) => string;
}

/**
 * The job that runs some minutes after the authorization of an add-on's payment was released, because the money on a
 * gift card was spent elsewhere. It emails the customer once. It sends no email if the customer has started a newer
 * payment for the frame: the page has then said it.
 */
export const mailReleasedAddon = ({ db, clock, jobs, link }: Scope, paymentId: string): Promise<void> =>
  db.transaction(async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (payment?.purpose !== 'add-on' || payment.state !== 'cancelled') return;
    const addon = await findAddonById(tx, payment.purposeId);
    if (!addon || !(await hasLostGiftCard(tx, addon.id))) return;
    const { customerId, frameId, packages, createdAt } = addon;
    const isLaterAddon = and(
      eq(addons.frameId, frameId),
      eq(addons.customerId, customerId),
      gt(addons.createdAt, createdAt),
    );
    if ((await tx.$count(addons, isLaterAddon)) > 0) return;
    const customer = await findCustomerById(tx, customerId);
    const frame = await findFrameById(tx, frameId);
    if (!customer || !frame?.isActive) return;
    const search = new URLSearchParams({ device: frameId, deviceName: frame.name, quantity: String(packages) });
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `payment-released:${paymentId}`,
        to: customer.email,
        content: {
          kind: 'payment-released',
          firstName: customer.firstName,
          promoCode: undefined,
          framesLeft: undefined,
          isGiftCardLost: true,
          checkoutUrl: link(`/addon-checkout?${search}`),
        },
      },
    );
  });
