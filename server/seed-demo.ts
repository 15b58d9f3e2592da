import { copyFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sampleMessages } from '#db/sample/messages.ts';
import {
  samplePassword,
  samplePeople,
  type SampleFrame,
  type SamplePerson,
  type SamplePurchase,
  type SampleReturn,
  type SampleReview,
} from '#db/sample/people.ts';
import { createCardFields } from '#adapters/payments/sandbox/test-cards.ts';
import { findCustomerByEmail } from '#shop/accounts/accounts.ts';
import { completeRegistration } from '#shop/checkout/registration.ts';
import { startPayment } from '#shop/checkout/checkout.ts';
import { findOrderOfPayment } from '#shop/checkout/place-order.ts';
import { readFramesOfOrders, type Frame } from '#shop/frames/frames.ts';
import { findOrderById, type Order } from '#shop/orders/orders.ts';
import { editOrder } from '#shop/orders/owner-edits.ts';
import { settleIntentById } from '#shop/payments/settle.ts';
import { addPhotoTo, createCustomerTarget } from '#shop/photos/add-photo.ts';
import { approveVideo, finalizeFrame, videosOfFrames } from '#shop/production/production.ts';
import { requestReviews, findReviewedProduct } from '#shop/reviews/request-reviews.ts';
import { answerReview, approveReview } from '#shop/reviews/reviews-list.ts';
import { issueReviewToken, readReviewLinkContent, readReviewsOfOrders, writeReview } from '#shop/reviews/reviews.ts';
import { requestReturn } from '#shop/returns/returns.ts';
import { openTicket } from '#shop/support/support.ts';
import { projectFolder } from './project-folder.ts';
import type { Shop } from './shop.ts';

const photoFolder = join(projectFolder, 'db/sample/photos');

/**
 * Fill an empty shop by doing what customers and the owner do: paying with sandbox cards, uploading, finalizing,
 * approving. If the sample people exist already, it changes nothing.
 */
export async function seedDemo(shop: Shop): Promise<void> {
  if (await findCustomerByEmail(shop.db, samplePeople[0]!.details.email)) return;
  const seededOrders: SeededOrder[] = [];
  for (const person of samplePeople)
    for (const purchase of person.purchases) seededOrders.push(await seedOrder(shop, person, purchase));
  for (const message of sampleMessages) await openTicket(shop, message);
  for (const { purchase, order, toApprove } of seededOrders) {
    for (const frame of toApprove) await approveAll(createShopAtOwnerTime(shop, purchase), frame);
    if (purchase.review) await addReview(shop, order, purchase.review);
    if (purchase.return) await askForReturn(shop, order, purchase.return);
  }
}

interface SeededOrder {
  purchase: SamplePurchase;
  order: Order;
  /** Frames whose videos are to be approved. */
  toApprove: Frame[];
}
/** The shop with its clock set back by this many days. */
const setClockBack = (shop: Shop, daysAgo: number): Shop => ({
  ...shop,
  clock: { now: () => new Date(Date.now() - daysAgo * 86_400_000) },
});

/** The shop at the time when the owner handles a purchase. It is before the buyer reviews or returns it. */
const createShopAtOwnerTime = (shop: Shop, { review: written, return: requested, daysAgo }: SamplePurchase) =>
  written || requested ? setClockBack(shop, daysAgo - 3) : shop;

/** Makes one purchase: pays by card, and brings each frame into the state that the sample data names. */
async function seedOrder(shop: Shop, person: SamplePerson, purchase: SamplePurchase): Promise<SeededOrder> {
  const shopAtThatTime = setClockBack(shop, purchase.daysAgo);
  const order = await buyFrame(shopAtThatTime, person, purchase);
  const frames = await readFramesOfOrders(shop.db, [order.id]);
  for (const [index, frame] of frames.entries()) await fillFrame(shopAtThatTime, frame, purchase.frames[index]);
  if (purchase.status) await editOrder(createShopAtOwnerTime(shop, purchase), order.id, { status: purchase.status });
  return { purchase, order, toApprove: frames.filter((_, index) => purchase.frames[index]?.state === 'approved') };
}

async function buyFrame(
  shop: Shop,
  { details, hasAccount }: SamplePerson,
  { productId, quantity, extraPackages }: SamplePurchase,
): Promise<Order> {
  const account = await findCustomerByEmail(shop.db, details.email);
  const startedPayment = await startPayment(
    { ...shop, collectsTax: false },
    { productId, quantity, extraPackages, customerDetails: details },
    { customerId: account?.id, address: '127.0.0.1' },
  );
  await payIntent(shop, startedPayment);
  const settlement = await settleIntentById(shop, startedPayment.intentId);
  if (settlement.state !== 'paid') throw new Error(`the demo's payment is ${settlement.state}`);
  if (hasAccount && !account)
    await completeRegistration(shop, { password: samplePassword, checkoutId: startedPayment.cart.checkoutId });
  return (await findOrderOfPayment(shop.db, settlement.payment))!;
}

/** Confirm the payment in the sandbox, as a browser does. */
async function payIntent({ config }: Shop, { intentId, clientSecret }: { intentId: string; clientSecret: string }) {
  const body = new URLSearchParams({ client_secret: clientSecret, ...createCardFields('pays') });
  const url = `http://${config.host}:${config.port}/sandbox/stripe/v1/payment_intents/${intentId}/confirm`;
  const response = await fetch(url, { method: 'POST', body });
  if (!response.ok) throw new Error(`the sandbox refused the demo's card: ${await response.text()}`);
}

async function fillFrame(shop: Shop, frame: Frame, sample: SampleFrame | undefined): Promise<void> {
  if (!sample) return;
  const names = readdirSync(photoFolder)
    .filter((it) => it.endsWith('.jpg'))
    .toSorted();
  const { from, count } = sample.photos;
  const { customerId } = (await findOrderById(shop.db, frame.orderId))!;
  for (let i = from; i < from + count; i++) {
    const name = names[i % names.length]!;
    const path = join(shop.workFolder, name);
    copyFileSync(join(photoFolder, name), path); // the store removes the file that it is given
    await addPhotoTo(shop, createCustomerTarget(frame, customerId!), { path, name, sizeBytes: statSync(path).size });
    rmSync(path, { force: true });
  }
  if (sample.state !== 'open') await finalizeFrame(shop, frame.id);
}

/** Wait for a frame's videos and approve them, as the owner does. */
async function approveAll(shop: Shop, frame: Frame): Promise<void> {
  for (;;) {
    const videos = await videosOfFrames(shop.db, [frame.id]);
    if (videos.every((it) => it.state === 'rendered' || it.state === 'failed')) {
      for (const video of videos) if (video.state === 'rendered') await approveVideo(shop, video.id);
      return;
    }
    await wait(1000);
  }
}

/** Ask the buyer for a review, write it, and approve it as the owner. */
async function addReview(shop: Shop, order: Order, { daysAgo, answer, ...said }: SampleReview): Promise<void> {
  const shopAtThatTime = setClockBack(shop, daysAgo);
  await requestReviews(shopAtThatTime);
  const reviewLink = await readReviewLinkContent(shop.db, await issueReviewToken(shop, order));
  await writeReview(shopAtThatTime, reviewLink!, findReviewedProduct(order), { ...said, film: null });
  const [written] = await readReviewsOfOrders(shop.db, [order.id]);
  await approveReview(shopAtThatTime, written!.id, written!.version);
  if (answer) await answerReview(shopAtThatTime, written!.id, answer);
}

/** Asks to return all frames of an order, as its buyer. */
async function askForReturn(shop: Shop, { id }: Order, { daysAgo, reason, words }: SampleReturn): Promise<void> {
  const order = (await findOrderById(shop.db, id))!;
  const frames = await readFramesOfOrders(shop.db, [id]);
  const frameIds = frames.map((it) => it.id);
  await requestReturn(setClockBack(shop, daysAgo), order.customerId!, order, { frameIds, reason, words, key: id });
}
