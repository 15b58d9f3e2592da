import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { dayAfter, toShopDay, endOfDay } from '#contract/calendar.ts';
import { lifetimes, limits } from '#contract/limits.ts';
import { describeOnFastestEngine, describeOnPostgres, type FreshDatabase } from '#test/database.ts';
import { buyFramesAsAnna, uploadTo } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { openTestShop, type TestShop } from '#test/shop.ts';
import { renderVideo } from './render.ts';

type Row = { id: string; state: string; take: number; style: string };
const readVideoRows = async (it: TestShop) => (await readAllTables(it.shop.db))['videos'] as Row[];
const attempt = { signal: new AbortController().signal, isLastTry: false };
const renderTake = (it: TestShop, { id, take }: Row) =>
  renderVideo({ ...it.shop, autoApproves: async () => true }, { videoId: id, take }, attempt);

/** Anna's frame with the given number of approved videos, and the token of her delivery page. */
async function deliverFrame(it: TestShop, photos = 1) {
  const { browser: anna, frames } = await buyFramesAsAnna(it);
  const { deviceId } = frames[0]!;
  for (let i = 0; i < photos; i++) await uploadTo(anna, deviceId);
  await anna.post('/api/uploads/finalize', { deviceId });
  for (const video of await readVideoRows(it)) await renderTake(it, video);
  const { path } = (await anna.post(`/api/devices/${deviceId}/delivery-link`)).json;
  const token = (path as string).split('/').at(-1)!;
  return { anna, deviceId, token, api: `/api/delivery/${token}` };
}
const adminKey = 'a-key-of-at-least-thirty-two-characters';
const openShopWith = async (fresh: FreshDatabase, env: Record<string, string> = {}) => openTestShop(fresh, { env });
const readTokenFromUrl = (url: string) => new URL(url).pathname.split('/').at(-1)!;

describeOnFastestEngine((fresh) => {
  test('a share link allows watching and saving but no changes, until the customer ends it', async () => {
    const testShop = await openShopWith(fresh);
    const { api, anna } = await deliverFrame(testShop);
    const today = toShopDay(testShop.clock.now());
    const createResponse = await anna.post(`${api}/shares`, { lastDay: dayAfter(today, 3) });
    expect(createResponse.status, createResponse.text).toBe(200);
    expect(new Date(createResponse.json.expiresAt)).toEqual(endOfDay(dayAfter(today, 3)));
    expect(createResponse.json.url).toMatch(/^http:\/\/localhost:3999\/delivery\/[\w-]{43}$/);
    const sharedPath = `/api/delivery/${readTokenFromUrl(createResponse.json.url)}`;

    const grandmasBrowser = testShop.browser();
    const sharedDelivery = (await grandmasBrowser.get(sharedPath)).json;
    expect(sharedDelivery).toMatchObject({ may: 'watch', orderNumber: null, shares: [], player: null, redosLeft: 0 });
    expect((await grandmasBrowser.get(sharedDelivery.videos[0].videoUrl)).text).toBe('a video');
    expect((await grandmasBrowser.get(sharedDelivery.videos[0].photoUrl)).headers['content-type']).toBe('image/jpeg');
    expect((await grandmasBrowser.get(sharedDelivery.downloadAllUrl)).bytes).toHaveLength(
      sharedDelivery.downloadAllBytes,
    );
    const tablesBefore = await readAllTables(testShop.shop.db);
    for (const refusedCall of [
      await grandmasBrowser.post(`${sharedPath}/shares`, { lastDay: today }),
      await grandmasBrowser.post(`${sharedPath}/player`),
      await grandmasBrowser.delete(`${sharedPath}/player`),
      await grandmasBrowser.put(`${sharedPath}/videos/${sharedDelivery.videos[0].id}`, { caption: 'Mine' }),
      await grandmasBrowser.post(`${sharedPath}/videos/${sharedDelivery.videos[0].id}/again`, {
        why: 'I do not like it',
      }),
    ])
      expect([refusedCall.status, refusedCall.json.code]).toEqual([404, 'delivery-link-invalid']);
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);

    const { shares } = (await anna.get(api)).json;
    expect(shares).toHaveLength(1);
    expect((await anna.delete(`${api}/shares/${shares[0].id}`)).status).toBe(200);
    expect((await anna.delete(`${api}/shares/${'0'.repeat(64)}`)).json.code).toBe('not-found');
    expect((await anna.get(api)).json.shares).toEqual([]);
    expect((await grandmasBrowser.get(sharedPath)).json.code).toBe('delivery-link-invalid');
    for (const url of [
      sharedDelivery.videos[0].videoUrl,
      sharedDelivery.videos[0].photoUrl,
      sharedDelivery.downloadAllUrl,
    ])
      expect((await grandmasBrowser.get(url)).status, url).toBe(404);
  });

  test('every video link returns delivery-withdrawn after a full refund that withdraws the photos', async () => {
    const testShop = await openShopWith(fresh, { ADMIN_KEY: adminKey });
    const { api, anna, deviceId } = await deliverFrame(testShop);
    const createResponse = await anna.post(`${api}/shares`, { lastDay: toShopDay(testShop.clock.now()) });
    const sharedPath = `/api/delivery/${readTokenFromUrl(createResponse.json.url)}`;
    const playerToken = readTokenFromUrl((await anna.post(`${api}/player`)).json.url);
    const [grandma, screen] = [testShop.browser(), testShop.browser()];
    const { videos, downloadAllUrl } = (await grandma.get(sharedPath)).json;
    await screen.get(`/api/play/${playerToken}`);
    const [order] = (await anna.get('/api/order-summary')).json.orders;
    const refundOrder = (body: object) =>
      testShop
        .browser()
        .post(`/api/admin/orders/${order.id}/refunds`, { reason: 'As agreed.', ...body }, { 'x-admin-key': adminKey });

    expect((await refundOrder({ amountCents: 100, withdrawPhotos: true })).status).toBe(200);
    expect((await grandma.get(sharedPath)).status).toBe(200);
    expect((await refundOrder({ withdrawPhotos: true })).status).toBe(200);
    for (const response of [
      await anna.get(api),
      await grandma.get(sharedPath),
      await screen.get(`/api/play/${playerToken}`),
      await grandma.get(downloadAllUrl),
      await anna.post(`/api/devices/${deviceId}/delivery-link`),
    ])
      expect([response.status, response.json.code, response.json.message]).toEqual([
        404,
        'delivery-withdrawn',
        expect.stringContaining('This order was refunded and its photos were removed'),
      ]);
    const pageResponse = await screen.get(`/play/${playerToken}`);
    expect([pageResponse.status, pageResponse.text]).toEqual([404, expect.stringContaining('This order was refunded')]);
    for (const { videoUrl, posterUrl } of videos)
      for (const url of [videoUrl, posterUrl]) expect((await grandma.get(url)).status, url).toBe(404);
    // If the refund fails, the videos are available again.
    await testShop.shop.db.execute(sql`update refunds set state = 'failed'`);
    expect((await grandma.get(sharedPath)).status).toBe(200);
  });

  test('the videos stay available after a full refund that does not withdraw the photos', async () => {
    const testShop = await openShopWith(fresh, { ADMIN_KEY: adminKey });
    const { api, anna } = await deliverFrame(testShop);
    const [order] = (await anna.get('/api/order-summary')).json.orders;
    const path = `/api/admin/orders/${order.id}/refunds`;
    expect((await testShop.browser().post(path, { reason: 'Sorry.' }, { 'x-admin-key': adminKey })).status).toBe(200);
    expect((await anna.get(api)).json.videos).toHaveLength(1);
  });

  test('a share link ends with the delivery at the latest, and a later day is refused with share-day-outside', async () => {
    const testShop = await openShopWith(fresh);
    const { api, anna } = await deliverFrame(testShop);
    const { expiresAt } = (await anna.get(api)).json;
    const lastShareDay = toShopDay(expiresAt);
    const createResponse = await anna.post(`${api}/shares`, { lastDay: lastShareDay });
    expect(createResponse.json.expiresAt).toBe(expiresAt);
    for (const lastDay of [dayAfter(toShopDay(testShop.clock.now()), -1), dayAfter(lastShareDay), '2999-01-01']) {
      const { status, json } = await anna.post(`${api}/shares`, { lastDay });
      expect([status, json.code, json.message], lastDay).toEqual([
        400,
        'share-day-outside',
        expect.stringContaining('Please choose a day from today to'),
      ]);
    }
    for (const lastDay of ['', '2026-02-30', 'tomorrow', 7])
      expect((await anna.post(`${api}/shares`, { lastDay })).json.code).toBe('invalid-request');
    expect((await anna.get(api)).json.shares).toHaveLength(1);
  });

  test('a video has only the caption that the customer wrote, and no default one from its file name', async () => {
    const testShop = await openShopWith(fresh);
    const { api, anna } = await deliverFrame(testShop, 2);
    await testShop.shop.db.execute(sql`update uploads set original_file_name = 'IMG_2034.jpg'`);
    const [first, second] = (await anna.get(api)).json.videos;
    expect([first.caption, second.caption]).toEqual([null, null]);
    expect(JSON.stringify([first, second])).not.toMatch(/Video \d/);
    const titleResponse = await anna.put(`${api}/videos/${second.id}`, { caption: ' Lina & the kite ' });
    expect(titleResponse.json).toMatchObject({ caption: 'Lina & the kite' });
    expect(titleResponse.json.downloadUrl).toContain('download=02-Lina-the-kite.mp4');
    expect(titleResponse.json.stillUrl).toContain('download=02-Lina-the-kite.jpg');
    expect((await anna.get(api)).json.videos.map((video: { caption: string }) => video.caption)).toEqual([
      null,
      'Lina & the kite',
    ]);
    expect((await anna.put(`${api}/videos/${second.id}`, { caption: '' })).json).toMatchObject({ caption: null });
    const tooLongResponse = await anna.put(`${api}/videos/${second.id}`, {
      caption: 'x'.repeat(limits.captionCharacters + 1),
    });
    expect([tooLongResponse.status, tooLongResponse.json.fields.caption]).toEqual([
      400,
      expect.stringContaining('at most'),
    ]);
    expect((await anna.put(`${api}/videos/none`, { caption: 'x' })).json.code).toBe('not-found');
  });

  test('a redo request that is sent twice uses one redo, and replaces no take that the customer has not seen', async () => {
    const testShop = await openShopWith(fresh);
    const { api, anna } = await deliverFrame(testShop);
    const [video] = (await anna.get(api)).json.videos;
    const requestRedo = () => anna.post(`${api}/videos/${video.id}/again`, { why: 'Slower', take: video.take });
    expect((await requestRedo()).json).toEqual({ redosLeft: 2 });
    expect((await requestRedo()).json.code).toBe('video-not-ready');
    await renderTake(testShop, (await readVideoRows(testShop))[0]!);
    const tablesBefore = await readAllTables(testShop.shop.db);
    const lateResponse = await requestRedo();
    expect([lateResponse.status, lateResponse.json.code]).toEqual([409, 'video-not-ready']);
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
    expect((await anna.get(api)).json).toMatchObject({ redosLeft: 2, videos: [{ id: video.id, take: 2 }] });
  });

  test('shows the earlier video until the new take is approved, and limits the wishes of a frame', async () => {
    const testShop = await openShopWith(fresh, { CUSTOMER_REDOS: '2' });
    const { api, anna } = await deliverFrame(testShop, 2);
    const [first, second] = (await anna.get(api)).json.videos;
    const style = (await readVideoRows(testShop)).find((video) => video.id === first.id)!.style;
    expect((await anna.post(`${api}/videos/${first.id}/again`, { why: '  ' })).json).toMatchObject({
      code: 'invalid-request',
    });
    const redoResponse = await anna.post(`${api}/videos/${first.id}/again`, { why: 'Her hair is cut off' });
    expect(redoResponse.json, redoResponse.text).toEqual({ redosLeft: 1 });
    const videoAfterRedo = (await readVideoRows(testShop)).find((video) => video.id === first.id)!;
    expect(videoAfterRedo).toMatchObject({ state: 'queued', take: 2 });
    expect(videoAfterRedo.style).not.toBe(style);
    expect((await anna.get(api)).json).toMatchObject({
      redosLeft: 1,
      videos: [{ id: first.id, take: 1 }, { id: second.id }],
      underWay: [{ id: first.id, caption: null }],
    });
    expect((await anna.get(first.videoUrl)).status).toBe(200);
    expect((await anna.post(`${api}/videos/${first.id}/again`, { why: 'Quick!' })).json.code).toBe('video-not-ready');
    await renderTake(testShop, videoAfterRedo);
    expect((await anna.get(api)).json).toMatchObject({
      videos: [{ id: first.id, take: 2 }, { id: second.id }],
      underWay: [],
    });
    expect((await anna.post(`${api}/videos/${first.id}/again`, { style: 'vintage', why: 'Older' })).json).toEqual({
      redosLeft: 0,
    });
    expect((await anna.post(`${api}/videos/${second.id}/again`, { why: 'More' })).json.code).toBe('no-redos-left');
    const { wishes } = await readAllTables(testShop.shop.db);
    expect((wishes as { why: string; take: number }[]).map(({ why, take }) => [why, take])).toEqual(
      expect.arrayContaining([
        ['Her hair is cut off', 1],
        ['Older', 2],
      ]),
    );
  });

  test('refuses delivery links that are modified or revoked, links of another kind, and other videos', async () => {
    const testShop = await openShopWith(fresh);
    const { api, anna, token } = await deliverFrame(testShop);
    const playerToken = readTokenFromUrl((await anna.post(`${api}/player`)).json.url);
    const [video] = await readVideoRows(testShop);
    await testShop.shop.db.execute(sql`update videos set frame_id = 'another frame'`);
    for (const refusedResponse of [
      await anna.put(`${api}/videos/${video!.id}`, { caption: 'x' }),
      await anna.post(`${api}/videos/${video!.id}/again`, { why: 'x' }),
    ])
      expect([refusedResponse.status, refusedResponse.json.code]).toEqual([404, 'not-found']);
    const otherCharacter = token.at(-1) === 'A' ? 'B' : 'A';
    for (const wrongValue of [
      token.slice(0, -1) + otherCharacter,
      token.toLowerCase(),
      `${token}x`,
      playerToken,
      'none',
      '%00',
    ])
      expect((await testShop.browser().get(`/api/delivery/${wrongValue}`)).status, wrongValue).toBeGreaterThanOrEqual(
        400,
      );
    await testShop.shop.db.execute(sql`update tokens set revoked_at = now() where purpose = 'delivery'`);
    expect((await anna.get(api)).json.code).toBe('delivery-link-invalid');
    expect((await anna.post(`${api}/player`)).json.code).toBe('delivery-link-invalid');
    expect(lifetimes.deliveryDays).toBe(90);
  });

  test('an aborted archive download closes its files, and an archive with a missing file is incomplete', async () => {
    const openStreams = new Set<Readable>();
    const testShop = await openShopWith(fresh);
    const { storage } = testShop.shop;
    const originalRead = storage.read.bind(storage);
    const { api, anna } = await deliverFrame(testShop, 3);
    const { downloadAllUrl } = (await anna.get(api)).json;
    // The files are large, so that much of the archive is unsent when the client disconnects. The rows must contain the
    // same size.
    const size = 8_000_000;
    const rows = (await readAllTables(testShop.shop.db))['videos'] as { video_key: string; place: number }[];
    for (const { video_key: key } of rows) await storage.put(key, Buffer.alloc(size, 7), 'video/mp4');
    await testShop.shop.db.execute(sql`update videos set size_bytes = ${size}`);
    storage.read = async (...asked) => {
      const stream = await originalRead(...asked);
      openStreams.add(stream);
      stream.once('close', () => openStreams.delete(stream));
      return stream;
    };
    await testShop.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = testShop.app.server.address() as AddressInfo;
    const cookie = [...anna.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const downloadZip = () =>
      new Promise<{ length: number; bytes: number; isWhole: boolean }>((resolve, reject) => {
        get({ port, path: downloadAllUrl, headers: { cookie } }, (answer) => {
          let bytes = 0;
          answer.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (leavesAfter !== undefined && bytes > leavesAfter) answer.destroy();
          });
          answer.on('error', () => undefined);
          answer.on('close', () =>
            resolve({ length: Number(answer.headers['content-length']), bytes, isWhole: answer.complete }),
          );
        }).on('error', reject);
      });

    let leavesAfter: number | undefined = size / 2;
    expect(await downloadZip()).toMatchObject({ isWhole: false });
    await vi.waitFor(() => expect(openStreams.size).toBe(0), { timeout: 10_000 });

    leavesAfter = undefined;
    const wholeZip = await downloadZip();
    expect(wholeZip).toMatchObject({ isWhole: true, bytes: wholeZip.length });
    await storage.delete(rows.find((it) => it.place === 1)!.video_key);
    const incompleteZip = await downloadZip();
    expect(incompleteZip.isWhole).toBe(false);
    expect(incompleteZip.bytes).toBeLessThan(incompleteZip.length);
    await vi.waitFor(() => expect(openStreams.size).toBe(0), { timeout: 10_000 });
  });
});

describeOnPostgres((fresh) => {
  test('simultaneous wishes and shares do not exceed their limits', async () => {
    const testShop = await openShopWith(fresh, { CUSTOMER_REDOS: '2' });
    const { api, anna } = await deliverFrame(testShop, 4);
    const { videos } = (await anna.get(api)).json as { videos: { id: string }[] };
    const wishResponses = await Promise.all(
      videos.map(({ id }) => anna.post(`${api}/videos/${id}/again`, { why: 'Again' })),
    );
    expect(wishResponses.filter((answer) => answer.status === 200)).toHaveLength(2);
    expect(wishResponses.filter((answer) => answer.json.code === 'no-redos-left')).toHaveLength(2);
    expect((await readVideoRows(testShop)).filter((video) => video.take === 2)).toHaveLength(2);

    const lastDay = toShopDay(testShop.clock.now());
    const shareRequests = Array.from({ length: limits.sharesPerFrame + 5 }, () =>
      anna.post(`${api}/shares`, { lastDay }),
    );
    const createdLinkResponses = (await Promise.all(shareRequests)).filter((answer) => answer.status === 200);
    expect(createdLinkResponses).toHaveLength(limits.sharesPerFrame);
    expect((await anna.post(`${api}/shares`, { lastDay })).json.code).toBe('too-many-shares');
  });
});
