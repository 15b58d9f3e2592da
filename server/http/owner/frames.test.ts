import { expect, test } from 'vitest';
import { toShopDay } from '#contract/calendar.ts';
import { renderVideo } from '#shop/production/render.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyFramesAsAnna, uploadTo } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';

describeOnFastestEngine((fresh) => {
  test('the owner finds frames to connect and to fill with videos, and can mark both steps as done or not done', async () => {
    const testShop = await openTestShop(fresh);
    const { browser: anna, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const [first, second] = frames.map((frame) => frame.deviceId) as [string, string];
    const connectionForm = new FormData();
    connectionForm.append('invitationCode', 'UHALE-77');
    await anna.put(`/api/devices/${first}/connection`, connectionForm);
    await uploadTo(anna, first);
    await anna.post('/api/uploads/finalize', { deviceId: first });
    const admin = testShop.browser();
    const signIn = () => admin.post('/api/admin/auth/password', { password: adminPassword });
    await signIn();
    const findIds = async (question: string) =>
      (await admin.get(`/api/admin/lists/frames?${question}`)).json.rows.map((row: { id: string }) => row.id);
    const saveCloudState = (isConnected: boolean, isDelivered: boolean, id = first) =>
      admin.put(`/api/admin/devices/${id}/cloud`, { isConnected, isDelivered });

    expect(await findIds('')).toEqual(expect.arrayContaining([first, second]));
    expect(await findIds('filter=to-connect')).toEqual([first]);
    expect(await findIds('q=keller&filter=to-connect')).toEqual([first]);
    expect(await findIds('q=unknown')).toEqual([]);
    expect((await saveCloudState(true, true)).json.code).toBe('videos-not-ready');
    expect((await saveCloudState(true, false)).json).toMatchObject({
      connectionStatus: 'connected',
      deliveredAt: null,
    });
    expect(await findIds('filter=to-connect')).toEqual([]);
    const fetchConnectionState = async () => {
      const { connectionStatus, connectionSince } = (await anna.get('/api/frame-photo-limits')).json.frames[0];
      return [connectionStatus, toShopDay(connectionSince)];
    };
    const today = toShopDay(testShop.clock.now());
    testShop.clock.advance(2 * 86_400_000);
    await signIn();
    await saveCloudState(true, false);
    expect(await fetchConnectionState()).toEqual(['connected', today]); // marking it again keeps the first day
    expect((await saveCloudState(false, false)).json.connectionStatus).toBe('pending');
    expect(await fetchConnectionState()).toEqual(['pending', toShopDay(testShop.clock.now())]);
    expect((await saveCloudState(false, false, second)).json.connectionStatus).toBe('none');
    expect((await saveCloudState(true, false, 'none')).json.code).toBe('not-found');

    const [video] = (await readAllTables(testShop.shop.db))['videos'] as { id: string }[];
    const jobAttempt = { signal: new AbortController().signal, isLastTry: false };
    await renderVideo(
      { ...testShop.shop, autoApproves: async () => true },
      { videoId: video!.id, take: 1 },
      jobAttempt,
    );
    expect(await findIds('filter=to-fill')).toEqual([first]);
    const filledFrame = (await saveCloudState(false, true)).json;
    expect(filledFrame).toMatchObject({ connectionStatus: 'connected', deliveredAt: expect.any(String) });
    expect((await saveCloudState(true, true)).json.deliveredAt).toBe(filledFrame.deliveredAt); // marking the frame again keeps the time of the first mark
    expect([await findIds('filter=to-fill'), await findIds('filter=filled')]).toEqual([[], [first]]);
    expect((await saveCloudState(true, false)).json.deliveredAt).toBeNull();

    // The order's history contains each change once.
    const [order] = (await admin.get('/api/admin/orders')).json;
    const connections = (order.events as { kind: string; words: string }[]).filter(({ kind }) => kind === 'connection');
    expect(connections.map(({ words }) => words)).toEqual([
      'Connection details saved for Kinframe 1.',
      'Kinframe 1: connected.',
      'Kinframe 1: not connected after all.',
      'Kinframe 1: connected, the videos are on it.',
      'Kinframe 1: the videos are not on it yet.',
    ]);
  });
});
