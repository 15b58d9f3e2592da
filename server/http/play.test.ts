import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { lifetimes } from '#contract/limits.ts';
import { renderVideo } from '#shop/production/render.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { buyFramesAsAnna, uploadTo } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';

const jobAttempt = { signal: new AbortController().signal, isLastTry: false };
const readVideoRows = async (it: TestShop) =>
  (await readAllTables(it.shop.db))['videos'] as { id: string; take: number }[];
const approveTake = (it: TestShop, { id, take }: { id: string; take: number }) =>
  renderVideo({ ...it.shop, autoApproves: async () => true }, { videoId: id, take }, jobAttempt);

/** Anna's finalized frame with this many videos in production, and an owner who creates player links for it. */
async function createFinalizedFrame(it: TestShop, photos: number) {
  const { browser: anna, frames } = await buyFramesAsAnna(it);
  const { deviceId } = frames[0]!;
  for (let i = 0; i < photos; i++) await uploadTo(anna, deviceId);
  await anna.post('/api/uploads/finalize', { deviceId });
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const createPlayerToken = async () => {
    const { status, json, text } = await admin.post(`/api/admin/devices/${deviceId}/player`);
    expect(status, text).toBe(200);
    return new URL(json.url).pathname.split('/').at(-1)!;
  };
  return { anna, admin, deviceId, makeLink: createPlayerToken };
}

describeOnFastestEngine((fresh) => {
  test('the player lists each video when it is approved, and only its cookie gives access to the video', async () => {
    const testShop = await openTestShop(fresh);
    const { makeLink } = await createFinalizedFrame(testShop, 2);
    const token = await makeLink();
    const screen = testShop.browser();
    const readPlaylist = () => screen.get(`/api/play/${token}`);
    expect((await readPlaylist()).json).toEqual({ frameName: 'Kinframe 1', giftFrom: null, videos: [] });
    const [first, second] = await readVideoRows(testShop);
    await approveTake(testShop, first!);
    const [shown] = (await readPlaylist()).json.videos;
    expect(shown).toEqual({
      id: first!.id,
      caption: null,
      videoUrl: `/videos/${first!.id}.mp4?take=1`,
      sizeBytes: 7,
    });
    expect((await screen.get(shown.videoUrl)).text).toBe('a video');
    expect((await testShop.browser().get(shown.videoUrl)).status).toBe(404);
    expect((await screen.get(`/videos/${second!.id}.mp4`)).status).toBe(404);
    await approveTake(testShop, second!);
    expect((await readPlaylist()).json.videos).toHaveLength(2);
    // The token of a player link gives no access to the delivery page and cannot create share links.
    expect((await screen.get(`/api/delivery/${token}`)).json.code).toBe('delivery-link-invalid');
    expect((await screen.post(`/api/delivery/${token}/shares`, { lastDay: '2026-12-24' })).status).toBe(404);
  });

  test('the player and the delivery page of a gift name the giver that its card names, or the buyer if the card names none', async () => {
    const testShop = await openTestShop(fresh);
    const { makeLink } = await createFinalizedFrame(testShop, 1);
    const [video] = await readVideoRows(testShop);
    await approveTake(testShop, video!);
    const token = await makeLink();
    const [mail] = await waitAndReadEmails(testShop, 'videos-ready:');
    const deliveryToken = (mail!.content as { deliveryUrl: string }).deliveryUrl.split('/').at(-1)!;
    const readGiverName = () =>
      Promise.all(
        [`/api/play/${token}`, `/api/delivery/${deliveryToken}`].map(
          async (path) => (await testShop.browser().get(path)).json.giftFrom,
        ),
      );
    expect(await readGiverName()).toEqual([null, null]);
    const saveGift = (gift: object) =>
      testShop.shop.db.execute(
        sql`update orders set gift = ${JSON.stringify({ recipientName: 'Maria', ...gift })}::jsonb`,
      );
    await saveGift({ from: 'Rose and the boys' });
    expect(await readGiverName()).toEqual(['Rose and the boys', 'Rose and the boys']);
    await saveGift({});
    expect(await readGiverName()).toEqual(['Anna Keller', 'Anna Keller']);
  });

  test('a new player link ends the frame’s earlier link, and an ended link gives access to no video', async () => {
    const testShop = await openTestShop(fresh);
    const { admin, deviceId, makeLink } = await createFinalizedFrame(testShop, 1);
    const [video] = await readVideoRows(testShop);
    await approveTake(testShop, video!);
    const oldBrowser = testShop.browser();
    const oldToken = await makeLink();
    const pageResponse = await oldBrowser.get(`/play/${oldToken}`);
    expect([
      pageResponse.status,
      pageResponse.headers['referrer-policy'],
      pageResponse.headers['cache-control'],
    ]).toEqual([200, 'no-referrer', 'private, no-store']);
    expect(pageResponse.text).not.toContain(oldToken);
    const { videoUrl } = (await oldBrowser.get(`/api/play/${oldToken}`)).json.videos[0];

    const screen = testShop.browser();
    const token = await makeLink();
    expect((await oldBrowser.get(`/api/play/${oldToken}`)).json.code).toBe('delivery-link-invalid');
    expect((await oldBrowser.get(videoUrl)).status).toBe(404);
    expect((await screen.get(`/api/play/${token}`)).status).toBe(200);
    expect((await admin.delete(`/api/admin/devices/${deviceId}/player`)).status).toBe(200);
    expect((await screen.get(videoUrl)).status).toBe(404);
    const endedResponse = await screen.get(`/play/${token}`);
    expect(endedResponse.status).toBe(404);
    expect(endedResponse.text).toContain('class="ended"');
    for (const wrongValue of ['none', `${token}x`, '%00', '../delivery', 'player.js'])
      expect((await screen.get(`/play/${wrongValue}`)).status, wrongValue).toBeGreaterThanOrEqual(400);
  });

  test('a player link that was created before the videos are ready expires together with the delivery', async () => {
    const testShop = await openTestShop(fresh);
    const { anna, deviceId, makeLink } = await createFinalizedFrame(testShop, 1);
    const token = await makeLink();
    const [video] = await readVideoRows(testShop);
    await approveTake(testShop, video!);
    expect((await testShop.browser().get(`/api/play/${token}`)).status).toBe(200);
    const expiredReadyAt = sql`now() - make_interval(days => ${lifetimes.deliveryDays})`;
    await testShop.shop.db.execute(sql`update frames set videos_ready_at = ${expiredReadyAt}`);
    expect((await testShop.browser().get(`/api/play/${token}`)).json.code).toBe('delivery-link-invalid');
    const admin = testShop.browser();
    await admin.post('/api/admin/auth/password', { password: adminPassword });
    expect((await admin.post(`/api/admin/devices/${deviceId}/player`)).json.code).toBe('delivery-link-invalid');
    expect((await anna.post(`/api/admin/devices/${deviceId}/player`)).json.code).toBe('admin-needed');
  });
});

test('the player’s script uses only JavaScript of ten years ago', () => {
  const script = readFileSync(join(import.meta.dirname, '../../public/play/player.js'), 'utf8');
  const code = script.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '').replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''");
  expect(code).not.toMatch(/=>|`|\.\.\.|\?\.|\?\?|\*\*/);
  expect(code).not.toMatch(/\b(let|const|class|async|await|import|export|yield)\b/);
  expect(code).not.toMatch(/\bfor \([^;)]* of |,\s*\)/);
  expect(code).not.toMatch(/\b(fetch|Promise|Symbol|Map|Set)\b\s*[(.]|\.(includes|find|assign|entries|padStart)\(/);
});
