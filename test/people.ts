import sharp from 'sharp';
import { expect } from 'vitest';
import type { Browser, TestShop } from './shop.ts';

export const anna = {
  firstName: 'Anna',
  lastName: 'Keller',
  email: 'anna@example.com',
  phone: '',
  address: { line1: '12 Linden Street', city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' },
} as const;
export const annasPassword = 'Sunflower-Field-7';

/** Pays for a cart with a sandbox card through the API and verifies the payment. Returns both responses. */
export async function buyAndVerify(
  browser: Browser,
  cart: {
    productId?: string;
    quantity?: number;
    extraPackages?: number;
    customerDetails?: unknown;
    promoCode?: string;
  } = {},
  card = '4242424242424242',
) {
  const body = { productId: 'kinframe', quantity: 1, extraPackages: 0, customerDetails: anna, ...cart };
  const intentResponse = await browser.post('/api/create-payment-intent', body);
  expect(intentResponse.status, intentResponse.text).toBe(200);
  const { paymentIntentId, clientSecret } = intentResponse.json;
  await confirmIntentWithCard(browser, paymentIntentId, clientSecret, card);
  const verifiedResponse = await browser.post('/api/verify-payment', { paymentIntentId });
  return { intent: intentResponse.json, paymentIntentId: paymentIntentId as string, verified: verifiedResponse };
}

export async function confirmIntentWithCard(
  browser: Browser,
  intentId: string,
  clientSecret: string,
  card = '4242424242424242',
) {
  const form = new URLSearchParams({
    client_secret: clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2034',
    'payment_method_data[card][cvc]': '123',
    return_url: 'http://localhost:3999/payment-success',
  });
  return browser.post(`/sandbox/stripe/v1/payment_intents/${intentId}/confirm`, form.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
}

/** Buys the cart as Anna and sets her password. Returns her signed-in browser and her frames. */
export async function buyFramesAsAnna(
  test: TestShop,
  cart: {
    productId?: string;
    quantity?: number;
    extraPackages?: number;
    customerDetails?: unknown;
    giftCards?: string[];
  } = {},
) {
  const browser = test.browser();
  const { verified } = await buyAndVerify(browser, cart);
  expect(verified.json).toMatchObject({ success: true, needsRegistration: true });
  const finishedResponse = await browser.post('/api/complete-registration', { password: annasPassword });
  expect(finishedResponse.status, finishedResponse.text).toBe(200);
  return { browser, session: verified.json.session as string, frames: await fetchFrames(browser) };
}

export async function fetchFrames(browser: Browser) {
  return (await browser.get('/api/frame-photo-limits')).json.frames as {
    deviceId: string;
    orderId: string;
    remainingPhotos: number;
    usedPhotos: number;
    uploadFinalized: boolean;
    videosReadyAt: string | null;
    isErased: boolean;
    isCanceled: boolean;
    stillAnsweredAt: string | null;
    alike: string[][];
    suggestedPair: [string, string] | null;
    connectionStatus: string;
    invitationCode: string | null;
    uploads: {
      id: string;
      url: string;
      thumbnailUrl: string;
      isProcessed: boolean;
      moves: { living: boolean | null } | null;
      style: string | null;
      showsFaces: boolean | null;
      shownWithId: string | null;
      isLocked: boolean;
      fileName: string;
      video: { url: string } | null;
      mayShowWater: boolean;
      printArea: { left: number } | null;
      preview: { style: string; url: string | null } | null;
    }[];
  }[];
}

let color = 0;
/** A small real JPEG, each with a different color. */
export const createSmallPhoto = () =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: { r: (color += 13) % 255, g: 120, b: 80 } } })
    .jpeg()
    .toBuffer();

export function createPhotoForm(deviceId: string | undefined, bytes: Buffer, name = 'photo.jpg', type = 'image/jpeg') {
  const form = new FormData();
  if (deviceId !== undefined) form.append('deviceId', deviceId);
  form.append('image', new Blob([new Uint8Array(bytes)], { type }), name);
  return form;
}
export const uploadTo = async (browser: Browser, deviceId: string, bytes?: Buffer) =>
  browser.post('/api/upload', createPhotoForm(deviceId, bytes ?? (await createSmallPhoto())));

/** The form with photos that the owner adds to an order. */
export function createPhotosForm(orderId: string, files: readonly (readonly [name: string, bytes: Buffer])[]) {
  const form = new FormData();
  form.append('orderId', orderId);
  for (const [name, bytes] of files) form.append('files[]', new Blob([new Uint8Array(bytes)]), name);
  return form;
}
