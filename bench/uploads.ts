import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import sharp from 'sharp';
import { runInChild } from '#adapters/processes/run-in-child.ts';
import { startPostgres } from '../test/postgres.ts';
import { sumCpuSecondsOfProcessTree, readParentPid, readPeakMegabytes } from './measure.ts';
import { sendPhoto, type PhotoSender } from './send-photo.ts';
import type { SendJob } from './send-photos-child.ts';
import { startShop } from './shop-process.ts';

export interface UploadFigures {
  /** CPU seconds of all processes, including the database. */
  cpuSeconds: number;
  /** CPU seconds of only the necessary work: hashing, writing, one decode and the encoded copies. */
  aloneCpuSeconds: number;
  /** 95th percentile of the response times of other requests: during the uploads, and without uploads (`idle`). */
  p95Ms: number;
  idleP95Ms: number;
  /** Peak memory of the web process since its start. */
  peakMegabytes: number;
}
const photoCount = 20;

/** Uploads twenty photos of nearly 10 MB at once into one frame, on each engine. */
export async function compareUploads(): Promise<Record<'PostgreSQL' | 'embedded', UploadFigures>> {
  const cluster = await startPostgres({ durable: true });
  if (!cluster) throw new Error('Uploads are measured on both engines, and no PostgreSQL is installed.');
  const client = new pg.Client({ connectionString: cluster.url });
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
  try {
    await client.connect();
    const { rows } = await client.query<{ ours: number }>('select pg_backend_pid() as ours');
    const postmaster = readParentPid(rows[0]!.ours);
    const path = join(folder, 'photo.jpg');
    writeFileSync(path, await createBigPhoto());
    return {
      PostgreSQL: await onOneEngine(path, { DATABASE_URL: cluster.url }, postmaster),
      embedded: await onOneEngine(path, {}),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await client.end();
    await cluster.stop();
  }
}

async function onOneEngine(
  path: string,
  settings: Record<string, string>,
  postmaster?: number,
): Promise<UploadFigures> {
  const bytes = readFileSync(path);
  const shop = await startShop(settings);
  try {
    // Upload one photo each before measuring, because the first upload has one-time costs.
    const [counted, amongOthers] = await Promise.all(
      ['anna@example.com', 'ben@example.com'].map(async (email) => {
        const customer = await buyFrame(shop.origin, { extraPackages: 1, email });
        await customer.upload(bytes, 0);
        return customer;
      }),
    );
    const uploadAll = (customer: typeof counted) => sendAllPhotos(path, customer!.sender);
    const readTotalCpuSeconds = () =>
      sumCpuSecondsOfProcessTree(shop.pid) + (postmaster === undefined ? 0 : sumCpuSecondsOfProcessTree(postmaster));
    const cpuBefore = readTotalCpuSeconds();
    await uploadAll(counted);
    const usedSeconds = readTotalCpuSeconds() - cpuBefore;
    const aloneCpuSeconds = await measureRequestAlone(path);
    const requests = ['/', '/api/frame-photo-limits'].map((path) => () => amongOthers!.get(path));
    const idleP95Ms = await measureP95Until(wait(10_000), requests);
    const p95Ms = await measureP95Until(uploadAll(amongOthers), requests);
    return { cpuSeconds: usedSeconds, aloneCpuSeconds, p95Ms, idleP95Ms, peakMegabytes: readPeakMegabytes(shop.pid) };
  } finally {
    await shop.close();
  }
}

/** Sends a request now and then until `end` resolves. Returns the 95th percentile of the response times, in ms. */
async function measureP95Until(end: Promise<unknown>, requests: (() => Promise<void>)[]): Promise<number> {
  const pollController = new AbortController();
  const endOfUploads = end.finally(() => pollController.abort());
  const times: number[] = [];
  while (!pollController.signal.aborted) {
    const startedAt = performance.now();
    await requests[times.length % requests.length]!();
    times.push(performance.now() - startedAt);
    await wait(20);
  }
  await endOfUploads;
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
}

export interface UploadBaselineJob {
  path: string;
  times: number;
  /** The folder for the files that the job writes. */
  folder: string;
}

async function sendAllPhotos(path: string, sender: PhotoSender): Promise<void> {
  const childScriptUrl = new URL('./send-photos-child.ts', import.meta.url);
  await runInChild<SendJob, null>({
    entry: childScriptUrl,
    job: { sender, path, times: photoCount },
    timeoutMs: 180_000,
  });
}

async function measureRequestAlone(path: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
  try {
    const childScriptUrl = new URL('./uploads-child.ts', import.meta.url);
    return await runInChild<UploadBaselineJob, number>({
      entry: childScriptUrl,
      job: { path, times: photoCount, folder },
      timeoutMs: 180_000,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A noisy photo just under the limit of 10 MB. */
async function createBigPhoto(): Promise<Buffer> {
  const noisyImageOptions = {
    width: 4000,
    height: 3000,
    channels: 3 as const,
    background: '#888',
    noise: { type: 'gaussian' as const, mean: 128, sigma: 40 },
  };
  for (const quality of [95, 90, 85, 80, 70, 60, 50]) {
    const bytes = await sharp({ create: noisyImageOptions }).jpeg({ quality }).toBuffer();
    if (bytes.length < 10 * 1024 * 1024) return bytes;
  }
  throw new Error('no quality makes the photo small enough');
}

/** Creates a customer with one empty frame, with the same requests as the shop's pages. */
export async function buyFrame(origin: string, { extraPackages = 0, email = 'anna@example.com' } = {}) {
  const cookies = new Map<string, string>();
  const callShop = async (method: string, path: string, body?: BodyInit, type?: string) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { origin, cookie, ...(type !== undefined && { 'content-type': type }) };
    const response = await fetch(origin + path, { method, headers, ...(body !== undefined && { body }) });
    for (const cookieHeader of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookieHeader)!;
      cookies.set(name!, value!);
    }
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, never>;
  };
  const postJson = (path: string, body: unknown) => callShop('POST', path, JSON.stringify(body), 'application/json');
  const address = { line1: '12 Linden Street', city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' };
  const customerDetails = { firstName: 'Anna', lastName: 'Keller', email, address };
  const { paymentIntentId, clientSecret } = await postJson('/api/create-payment-intent', {
    productId: 'kinframe',
    quantity: 1,
    extraPackages,
    customerDetails,
  });
  const cardForm = new URLSearchParams({
    client_secret: clientSecret!,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2040',
    'payment_method_data[card][cvc]': '123',
  });
  await callShop('POST', `/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`, cardForm);
  await postJson('/api/verify-payment', { paymentIntentId });
  await postJson('/api/complete-registration', { password: 'Sunflower-Field-7' });
  const { frames } = (await callShop('GET', '/api/frame-photo-limits')) as unknown as {
    frames: { deviceId: string }[];
  };
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const sender: PhotoSender = { origin, cookie, deviceId: frames[0]!.deviceId };
  return {
    cookies,
    sender,
    /** Requests a page or data of the customer. */
    async get(path: string): Promise<void> {
      const response = await fetch(origin + path, { headers: { cookie } });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    },
    upload: (bytes: Uint8Array, i: number) => sendPhoto(sender, bytes, i),
    finalize: () => postJson('/api/uploads/finalize', { deviceId: sender.deviceId }),
  };
}
