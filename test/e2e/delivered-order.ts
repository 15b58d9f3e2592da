import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Database } from '#adapters/database/database.ts';
import { systemClock } from '#adapters/database/database.ts';
import { projectFolder } from '#server/project-folder.ts';
import { defaultDeliveryTimes } from '#contract/catalog.ts';
import { createOrderPlacer } from '#shop/orders/orders.ts';
import { readContent } from '#shop/content/content.ts';
import { createFrames } from '#shop/frames/frames.ts';
import { requestReviews } from '#shop/reviews/request-reviews.ts';

export const customerRose = { firstName: 'Rose', lastName: 'Winter', email: 'rose@example.com' };
const videoNames = ['kite', 'cabin', 'autumn'];
const dayMs = 86_400_000;

/**
 * Creates a guest's order from six weeks ago that was delivered with three videos. The email that asks for a review is
 * about to be sent.
 */
export async function deliverOrder({ db, jobs }: Database, dataDir: string): Promise<void> {
  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);
  const clock = { now: () => daysAgo(42) };
  const orderId = await db.transaction(async (tx) => {
    const cart = { productId: 'kinframe', quantity: 1, extraPackages: 1 } as const;
    const order = await createOrderPlacer(() => sql`null`)(tx, clock, {
      ...customerRose,
      orderNumber: 'KF-R0SE-W1NT',
      customerId: null,
      phone: null,
      phoneE164: null,
      shippingAddress: { line1: '12 Linden Street', city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' },
      gift: null,
      productType: 'kinframe-with-bundle',
      quantity: 1,
      extraPackages: 1,
      lines: [{ label: 'Kinframe', quantity: 1, unitCents: 19_900, amountCents: 19_900 }],
      subtotalCents: 20_899,
      discountCents: 0,
      promoCode: null,
      taxCents: 0,
      taxRate: null,
      taxJurisdiction: null,
      totalCents: 20_899,
      giftCardCents: 0,
      checkoutId: 'rose',
      paymentId: 'rose',
      stripePaymentIntentId: 'pi_rose',
    });
    await createFrames(tx, clock, order!.id, cart);
    return order!.id;
  });
  const isoDaysAgo = (days: number) => daysAgo(days).toISOString();
  await db.execute(sql`update orders set status = 'shipped', shipped_at = ${isoDaysAgo(38)} where id = ${orderId}`);
  await db.execute(sql`update frames set used_photos = ${videoNames.length}, finalized_at = ${isoDaysAgo(41)}, videos_ready_at = ${isoDaysAgo(39)}
    where order_id = ${orderId}`);
  for (const [position, name] of videoNames.entries()) {
    storeFile(dataDir, `public/media/gallery/${name}.mp4`, `videos/rose-${name}.mp4`);
    for (const folder of ['posters', 'display', 'thumbnails', 'originals'])
      storeFile(dataDir, `public/media/gallery/${name}-1200.jpg`, `${folder}/rose-${name}.jpg`);
    await db.execute(sql`
      insert into uploads (id, frame_id, order_id, file_name, original_file_name, mime_type, file_size, sha256, width, height,
        original_key, display_key, thumbnail_key, caption, uploaded_at)
      select ${`rose-${name}`}, id, order_id, ${`rose-${name}.jpg`}, ${`${name}.jpg`}, 'image/jpeg', 1000, ${name}, 1200, 750,
        ${`originals/rose-${name}.jpg`}, ${`display/rose-${name}.jpg`}, ${`thumbnails/rose-${name}.jpg`}, ${`The ${name}`}, ${isoDaysAgo(41)}
      from frames where order_id = ${orderId}`);
    await db.execute(sql`
      insert into videos (id, upload_id, frame_id, place, state, style, progress, video_key, poster_key, seconds, size_bytes,
        queued_at, rendered_at, approved_at, kept_at)
      select ${`rose-${name}`}, ${`rose-${name}`}, id, ${position}::int, 'approved', 'drift', 1, ${`videos/rose-${name}.mp4`},
        ${`posters/rose-${name}.jpg`}, 6, 1000, ${isoDaysAgo(41)}, ${isoDaysAgo(40)}, ${isoDaysAgo(40)}, ${isoDaysAgo(39)}
      from frames where order_id = ${orderId}`);
  }
  await requestReviews({
    db,
    jobs,
    clock: systemClock,
    readContent: (section) => readContent(db, section),
    deliveryTimes: async () => defaultDeliveryTimes,
  });
}

function storeFile(dataDir: string, from: string, key: string): void {
  const path = join(dataDir, 'files', key);
  mkdirSync(join(path, '..'), { recursive: true });
  cpSync(join(projectFolder, from), path);
}
