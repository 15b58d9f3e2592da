import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { namedFiles } from '#server/named-files.ts';
import { finishErasure } from '#shop/retention/erasure.ts';
import { anna, buyFramesAsAnna, annasPassword, uploadTo } from './people.ts';
import { readWaitingJobs } from './rows.ts';
import type { Browser, TestShop } from './shop.ts';

/** Returns the key of every stored file of customers, including the trash. */
export async function listCustomerFileKeys({ shop: { storage } }: TestShop): Promise<string[]> {
  const keys: string[] = [];
  for (const folder of [
    'originals/',
    'display/',
    'thumbnails/',
    'wholes/',
    'videos/',
    'posters/',
    'films/',
    'previews/',
    'trials/',
    'connections/',
    'returns/',
    'labels/',
    'trash/',
  ])
    for await (const { key } of storage.list(folder)) keys.push(key);
  return keys;
}

/** Delivers the videos as if the owner had approved them, without a renderer. Writes the rows and files. */
export async function deliverVideos(
  it: TestShop,
  browser: Browser,
  deviceId: string,
  keepPlaces = false,
): Promise<void> {
  expect((await browser.post('/api/uploads/finalize', { deviceId, keepPlaces })).status).toBe(200);
  const { db, storage, clock } = it.shop;
  const { rows } = await db.execute<{ id: string }>(sql`select id from videos where frame_id = ${deviceId}`);
  for (const { id } of rows) {
    await storage.put(`videos/${id}.mp4`, Buffer.from('a film'), 'video/mp4');
    await storage.put(`posters/${id}.jpg`, Buffer.from('a poster'), 'image/jpeg');
  }
  const now = clock.now().toISOString();
  await db.execute(sql`update videos set state = 'approved', size_bytes = 6, rendered_at = ${now}, approved_at = ${now}, kept_at = ${now},
    video_key = 'videos/' || id || '.mp4', poster_key = 'posters/' || id || '.jpg' where frame_id = ${deviceId}`);
  await db.execute(sql`update frames set videos_ready_at = ${now} where id = ${deviceId}`);
}

export async function buyAndDeliverAsAnna(it: TestShop, quantity = 1) {
  const { browser, frames } = await buyFramesAsAnna(it, { quantity });
  for (const { deviceId } of frames) {
    expect((await uploadTo(browser, deviceId)).status).toBe(200);
    await deliverVideos(it, browser, deviceId);
  }
  return { browser, frames: frames.map((frame) => frame.deviceId) };
}

export const signInAgain = async (browser: Browser) =>
  expect((await browser.post('/api/auth/login', { email: anna.email, password: annasPassword })).status).toBe(200);
export const openAnnasBrowser = async (it: TestShop) => {
  const browser = it.browser();
  await signInAgain(browser);
  return browser;
};
export const finishAllErasures = async (it: TestShop) => {
  for (const { data } of await readWaitingJobs(it.shop.db, 'finish-erasure'))
    await finishErasure({ ...it.shop, words: namedFiles }, data['erasureId'] as string);
};
