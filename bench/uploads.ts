import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { peakMegabytesOf } from './measure.ts';
import { startShop } from './shop-process.ts';

export interface UploadRates {
  uploadedMegabytesPerSecond: number;
  writtenMegabytesPerSecond: number;
  /** Of the web process, from its start on. */
  peakMegabytes: number;
}
const photos = 20;

/** Twenty photos of nearly 10 MB at once into one frame, against hashing and writing the same bytes. */
export async function compareUploads(): Promise<UploadRates> {
  const bytes = await bigPhoto();
  const shop = await startShop();
  try {
    const customer = await buyFrame(shop.origin);
    const uploadSeconds = await secondsOf(() =>
      Promise.all(Array.from({ length: photos }, (_, i) => customer.upload(bytes, i))),
    );
    const peakMegabytes = peakMegabytesOf(shop.pid);
    const writeSeconds = await secondsOf(() => hashAndWrite(bytes));
    const megabytes = (photos * bytes.length) / 1e6;
    return {
      uploadedMegabytesPerSecond: megabytes / uploadSeconds,
      writtenMegabytesPerSecond: megabytes / writeSeconds,
      peakMegabytes,
    };
  } finally {
    await shop.close();
  }
}

/** A noisy photograph just under the limit of 10 MB. */
async function bigPhoto(): Promise<Buffer> {
  const create = {
    width: 4000,
    height: 3000,
    channels: 3 as const,
    background: '#888',
    noise: { type: 'gaussian' as const, mean: 128, sigma: 40 },
  };
  for (const quality of [95, 90, 85, 80, 70, 60, 50]) {
    const bytes = await sharp({ create }).jpeg({ quality }).toBuffer();
    if (bytes.length < 10 * 1024 * 1024) return bytes;
  }
  throw new Error('no quality makes the photo small enough');
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

async function hashAndWrite(bytes: Buffer): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
  const one = async (_: unknown, i: number) => {
    createHash('sha256').update(bytes).digest('hex');
    const file = await open(join(folder, String(i)), 'w');
    await file.writeFile(bytes);
    await file.sync();
    await file.close();
  };
  await Promise.all(Array.from({ length: photos }, one));
  rmSync(folder, { recursive: true, force: true });
}

/** A customer with one empty frame, by the calls our own pages make. */
export async function buyFrame(origin: string, { extraPackages = 0, email = 'anna@example.com' } = {}) {
  const cookies = new Map<string, string>();
  const call = async (method: string, path: string, body?: BodyInit, type?: string) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { origin, cookie, ...(type !== undefined && { 'content-type': type }) };
    const answer = await fetch(origin + path, { method, headers, ...(body !== undefined && { body }) });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, never>;
  };
  const json = (path: string, body: unknown) => call('POST', path, JSON.stringify(body), 'application/json');
  const address = { line1: '12 Linden Street', city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' };
  const customerDetails = { firstName: 'Anna', lastName: 'Keller', email, address };
  const { paymentIntentId, clientSecret } = await json('/api/create-payment-intent', {
    productId: 'kinframe',
    quantity: 1,
    extraPackages,
    customerDetails,
  });
  const card = new URLSearchParams({
    client_secret: clientSecret!,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2040',
    'payment_method_data[card][cvc]': '123',
  });
  await call('POST', `/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`, card);
  await json('/api/verify-payment', { paymentIntentId });
  await json('/api/complete-registration', { password: 'Sunflower-Field-7' });
  const { frames } = (await call('GET', '/api/frame-photo-limits')) as unknown as { frames: { deviceId: string }[] };
  return {
    cookies,
    upload(bytes: Buffer, i: number) {
      const form = new FormData();
      form.append('deviceId', frames[0]!.deviceId);
      form.append('image', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), `photo-${i}.jpg`);
      return call('POST', '/api/upload', form);
    },
    finalize: () => json('/api/uploads/finalize', { deviceId: frames[0]!.deviceId }),
  };
}
