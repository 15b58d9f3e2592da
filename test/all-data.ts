import { expect, vi } from 'vitest';
import { toShopDay } from '#contract/calendar.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import type { TokenPurpose } from '#shop/tokens/tokens.sql.ts';
import { lifetimes } from '#contract/limits.ts';
import { cartReminders } from '#shop/checkout/cart-reminders.sql.ts';
import { giftCards } from '#shop/gift-cards/gift-cards.sql.ts';
import { beginCheckout } from '#shop/checkout/carts.ts';
import { phoneOrders } from '#shop/checkout/phone-orders.sql.ts';
import { newId } from '#shop/columns.ts';
import { labels } from '#shop/labels/labels.sql.ts';
import { returnFrames, returns } from '#shop/returns/returns.sql.ts';
import { hashToken, issueToken } from '#shop/tokens/tokens.ts';
import { anna, buyFramesAsAnna, createPhotoForm, createSmallPhoto, uploadTo } from './people.ts';
import { createResumableUpload, sendPiece } from './resumable-upload.ts';
import { readAllTables } from './rows.ts';
import { adminPassword, type TestShop } from './shop.ts';

/**
 * Anna with everything that a customer can have: a finished video, an open frame with a photo and a QR code, and every
 * kind of link.
 */
export async function createAnnaWithAllData(it: TestShop) {
  const { db } = it.shop;
  await startJobs(it.shop);
  const { browser, frames } = await buyFramesAsAnna(it, { quantity: 2 });
  const [finished, open] = frames.map((frame) => frame.deviceId) as [string, string];
  await browser.post('/api/trial', createPhotoForm(undefined, await createSmallPhoto(), 'grandmother-on-a-swing.jpg'));
  await uploadTo(browser, finished);
  await browser.post('/api/uploads/finalize', { deviceId: finished });
  await browser.post('/api/upload', createPhotoForm(open, await createSmallPhoto(), 'grandmother-on-a-swing.jpg'));
  const connectionForm = new FormData();
  connectionForm.append('invitationCode', 'INVITE-7');
  connectionForm.append(
    'qrPhoto',
    new Blob([new Uint8Array(await createSmallPhoto())], { type: 'image/jpeg' }),
    'qr.jpg',
  );
  await browser.put(`/api/devices/${open}/connection`, connectionForm);
  const unfinishedUpload = await createResumableUpload(browser, open, 1000, { name: 'half-a-photo.jpg' });
  await sendPiece(browser, unfinishedUpload, 0, Buffer.alloc(100));
  const collectResponse = await browser.post(`/api/devices/${open}/collect-link`, {
    name: 'Under the Linden tree',
    lastDay: toShopDay(it.clock.now()),
  });
  const collectToken = new URL(collectResponse.json.url).pathname.split('/').at(-1)!;
  const contributorBrowser = it.browser();
  await contributorBrowser.post(`/api/collect/${collectToken}/contributors`, { firstName: 'Lina' });
  const givenResponse = await contributorBrowser.post(
    `/api/collect/${collectToken}/photos`,
    createPhotoForm(undefined, await createSmallPhoto()),
  );
  const trial = await vi.waitFor(
    async () => {
      const { trial } = (await browser.get('/api/trial')).json;
      expect(trial.state).toBe('ready');
      return trial as { photoUrl: string; filmUrl: string; posterUrl: string };
    },
    { timeout: 20_000 },
  );
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const findVideoInState = async (state: string) => {
    const [order] = (await admin.get('/api/admin/production-orders')).json;
    const [video] = order.frames.flatMap((frame: { videos: object[] }) => frame.videos);
    expect(video.state).toBe(state);
    return video as { id: string };
  };
  const waitForVideoState = (state: string) => vi.waitFor(() => findVideoInState(state), { timeout: 20_000 });
  const { id: videoId } = await waitForVideoState('rendered');
  await admin.post(`/api/admin/videos/${videoId}/approve`);
  const question = { name: 'Anna Keller', email: anna.email, subject: 'The swing', message: 'Is it not too wild?' };
  await browser.post('/api/support-tickets', question);
  await vi.waitFor(
    async () => {
      const { mails } = await readAllTables(db);
      expect(mails!.filter((mail) => (mail as { sent_at: unknown }).sent_at === null)).toEqual([]);
      expect(mails).toHaveLength(7); // receipt, sale, confirmation, finalized, ready, ticket to both sides
    },
    { timeout: 20_000 },
  );

  const rows = (await readAllTables(db)) as Record<string, { id: string; event?: string }[]>;
  const [order] = (await browser.get('/api/order-summary')).json.orders;
  const [payment] = rows['payments'] as unknown as { id: string; intent_id: string }[];
  const limits = (await browser.get('/api/frame-photo-limits')).json.frames;
  const photo = limits
    .flatMap((frame: { uploads: object[] }) => frame.uploads)
    .find((it: { originalFileName: string }) => it.originalFileName === 'grandmother-on-a-swing.jpg');
  const qrPhotoPath = limits.find((frame: { qrPhotoPath: string | null }) => frame.qrPhotoPath !== null).qrPhotoPath;
  const customerId = rows['customers']![0]!.id;
  const guest = it.browser();
  const uploadLinkToken = { purpose: 'upload-link', subjectId: customerId, seconds: 3600 } as const;
  guest.cookies.set('upload-link', await issueToken(db, it.clock, uploadLinkToken));
  const uploadLinkArrivalUrl = await createResumableUpload(guest, undefined, 1000, {
    at: '/api/customer-upload/arrivals',
  });
  await sendPiece(guest, uploadLinkArrivalUrl, 0, Buffer.alloc(100));
  const cartReminderId = newId();
  await db.insert(cartReminders).values({
    id: cartReminderId,
    cartId: rows['carts']![0]!.id,
    emailHash: hashToken(anna.email),
    leftAt: it.clock.now(),
    firstSentAt: it.clock.now(),
  });
  const giftCardId = newId();
  await db.insert(giftCards).values({
    id: giftCardId,
    number: 'GC-7Q4M-2XPA',
    purchaseId: giftCardId,
    isForFrame: false,
    amountCents: 5_000,
    balanceCents: 5_000,
    state: 'active',
    recipientName: 'Mei Linden',
    senderName: 'Anna Linden',
    buyerEmail: anna.email,
    paidAt: it.clock.now(),
    createdAt: it.clock.now(),
  });
  const phoneOrderId = newId();
  await db.insert(phoneOrders).values({
    id: phoneOrderId,
    checkoutId: (await beginCheckout(db, it.clock)).id,
    productId: 'kinframe',
    quantity: 1,
    extraPackages: 0,
    customer: { email: anna.email, firstName: 'Anna' },
    note: 'Called about the Linden window.',
    createdAt: it.clock.now(),
    expiresAt: new Date(it.clock.now().getTime() + lifetimes.phoneOrderDays * 86_400_000),
  });
  const tokens = {} as Record<TokenPurpose, string>;
  const subjects: Record<TokenPurpose, string> = {
    'order-access': order.id,
    'finish-registration': order.id,
    delivery: finished,
    share: finished,
    play: finished,
    proof: finished,
    review: order.id,
    'password-reset': customerId,
    'email-confirmation': customerId,
    'sign-in': customerId,
    'email-change': customerId,
    'new-passkey': customerId,
    passkey: 'anyone',
    unsubscribe: order.id,
    cart: cartReminderId,
    'cart-unsubscribe': cartReminderId,
    'gift-card': giftCardId,
    'payment-link': phoneOrderId,
    'admin-code': 'owner',
    'new-owner-passkey': 'owner',
    'owner-passkey': 'owner',
    'owner-sign-in': 'owner',
    'end-sign-in': 'none',
    'staff-invitation': 'none',
    'staff-code': 'none',
    'new-staff-passkey': 'none',
    'upload-link': customerId,
    'ticket-reply': rows['tickets']![0]!.id,
    collect: rows['collect_links']![0]!.id,
    contributor: rows['contributors']![0]!.id,
    'trial-view': rows['trials']![0]!.id,
  };
  for (const [purpose, subjectId] of Object.entries(subjects) as [TokenPurpose, string][])
    tokens[purpose] = await issueToken(db, it.clock, { purpose, subjectId, seconds: 3600 });
  const review = {
    stars: 5,
    words: 'It hangs beside the Linden window.',
    name: 'Anna K.',
    film: { id: videoId, take: 1 },
  };
  const writtenResponse = await guest.put(`/api/review/${tokens.review}/kinframe`, review);
  expect(writtenResponse.status, writtenResponse.text).toBe(200);
  const returnId = newId();
  const storedKeys = { photoKey: `returns/${newId()}.jpg`, labelKey: `returns/${newId()}.jpg` };
  for (const key of Object.values(storedKeys)) await it.shop.storage.put(key, Buffer.from('private'), 'image/jpeg');
  const requestedAt = it.clock.now();
  await db.insert(returns).values({
    id: returnId,
    orderId: order.id,
    state: 'requested',
    reason: 'damaged',
    words: 'It fell on the way to the Linden tree.',
    ...storedKeys,
    photoBytes: 7,
    labelBytes: 7,
    requestedAt,
    updatedAt: requestedAt,
  });
  await db.insert(returnFrames).values({ returnId, frameId: finished, isTaken: true });
  const labelId = newId();
  const pdfKeys = { pdfKey: `labels/${newId()}.pdf`, customsPdfKey: `labels/${newId()}.pdf` };
  for (const key of Object.values(pdfKeys)) await it.shop.storage.put(key, Buffer.from('private'), 'application/pdf');
  await db.insert(labels).values({
    id: labelId,
    orderId: order.id,
    state: 'void-refused',
    shipmentId: 'shp_of_anna',
    addressHash: 'of another address',
    parcel: { weight: 48, length: 14, width: 11, height: 4 },
    rates: [],
    carrier: 'USPS',
    service: 'Ground Advantage',
    priceCents: 825,
    trackingNumber: '9405500208303109880000',
    ...pdfKeys,
    pdfBytes: 7,
    boughtAt: requestedAt,
    createdAt: requestedAt,
    updatedAt: requestedAt,
  });
  const [{ id: reviewId }] = (await admin.get('/api/admin/lists/reviews')).json.rows;
  return {
    browser,
    admin,
    videoIs: waitForVideoState,
    ids: {
      customer: customerId,
      order: order.id as string,
      orderNumber: order.orderNumber as string,
      frame: open,
      finishedFrame: finished,
      photo: photo.id as string,
      arrival: unfinishedUpload.split('/').at(-1)!,
      guestsArrival: uploadLinkArrivalUrl.split('/').at(-1)!,
      contribution: givenResponse.json.id as string,
      video: videoId,
      mail: rows['mails']!.find((mail) => mail.event === `receipt:${order.id}`)!.id,
      ticket: rows['tickets']![0]!.id,
      review: reviewId,
      return: returnId,
      label: labelId,
      giftCard: giftCardId,
      phoneOrder: phoneOrderId,
      payment: payment!.id,
      intent: payment!.intent_id,
    } as Record<string, string>,
    tokens,
    files: [
      photo.url,
      photo.thumbnailUrl,
      givenResponse.json.url,
      qrPhotoPath,
      trial.photoUrl,
      trial.filmUrl,
      trial.posterUrl,
      `/videos/${videoId}.mp4`,
      `/videos/${videoId}.jpg`,
      `/videos/${videoId}-photo.jpg`,
      `/videos/all/${finished}`,
      `/reviews/${reviewId}.mp4`,
      `/reviews/${reviewId}.jpg`,
      `/returns/${returnId}-photo`,
      `/returns/${returnId}-label`,
      `/labels/${labelId}`,
      `/labels/${labelId}/customs`,
    ] as string[],
  };
}

/** The names of the ids that can follow each path segment, or that each of these fields can contain. */
export const idNamesByPathSegment: Record<string, string[]> = {
  orders: ['order', 'orderNumber'],
  'phone-orders': ['phoneOrder'],
  receipts: ['order', 'payment'],
  uploads: ['photo', 'bensPhoto'],
  'customer-upload': ['photo'],
  photos: ['contribution'],
  arrivals: ['arrival', 'guestsArrival'],
  devices: ['frame', 'finishedFrame', 'bensFrame'],
  frames: ['frame', 'finishedFrame', 'bensFrame'],
  videos: ['video'],
  customers: ['customer', 'bensId'],
  users: ['customer', 'bensId'],
  mails: ['mail'],
  'support-tickets': ['ticket'],
  returns: ['return'],
  labels: ['label'],
  payments: ['intent'],
  deviceId: ['frame', 'finishedFrame', 'bensFrame'],
  toDeviceId: ['frame', 'finishedFrame', 'bensFrame'],
  orderId: ['order'],
  ids: ['photo', 'contribution', 'bensPhoto'],
  paymentIntentId: ['intent'],
};
