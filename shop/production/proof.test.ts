import { sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { lifetimes } from '#contract/limits.ts';
import { describeOnFastestEngine, describeOnPostgres, type FreshDatabase } from '#test/database.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { createOwnersVideoForm, createOwnersVideoFile } from '#test/owners-video.ts';
import { buyAddon } from '#test/paying.ts';
import { buyFramesAsAnna, uploadTo } from '#test/people.ts';
import { readAllTables, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { findNextFrameStep } from './next-frame-step.ts';
import { endProofs } from './proof.ts';
import { renderVideo } from './render.ts';

type Row = { id: string; state: string; take: number; place: number };
const readVideoRows = async (it: TestShop) =>
  ((await readAllTables(it.shop.db))['videos'] as Row[]).toSorted((a, b) => a.place - b.place);
const attempt = { signal: new AbortController().signal, isLastTry: false };
const renderTake = (it: TestShop, { id, take }: Row) =>
  renderVideo({ ...it.shop, autoApproves: async () => false }, { videoId: id, take }, attempt);

/**
 * Anna's finalized frame with rendered videos, in a shop whose settings switch the proof on, and the owner's browser.
 */
async function makeVideos(fresh: FreshDatabase, when: 'before' | 'after', photos = 2) {
  const testShop = await openTestShop(fresh, { env: { PROOF: when, CUSTOMER_REDOS: '1' } });
  const { browser: anna, frames } = await buyFramesAsAnna(testShop);
  const { deviceId } = frames[0]!;
  for (let i = 0; i < photos; i++) await uploadTo(anna, deviceId);
  await anna.post('/api/uploads/finalize', { deviceId });
  for (const video of await readVideoRows(testShop)) await renderTake(testShop, video);
  const admin = testShop.browser();
  const signIn = () => admin.post('/api/admin/auth/password', { password: adminPassword });
  await signIn();
  const approveVideo = ({ id }: { id: string }) => admin.post(`/api/admin/videos/${id}/approve`);
  const approveAll = async () => {
    for (const video of await readVideoRows(testShop)) await approveVideo(video);
  };
  const createProofLinkToken = async () => {
    const { path } = (await anna.post(`/api/devices/${deviceId}/proof-link`)).json;
    return `/api${path as string}`;
  };
  const areVideosReady = async () => (await anna.get('/api/frame-photo-limits')).json.frames[0].videosReadyAt !== null;
  return {
    it: testShop,
    anna,
    admin,
    signIn,
    deviceId,
    approve: approveVideo,
    approveAll,
    linkOf: createProofLinkToken,
    isReady: areVideosReady,
  };
}

describe('the next step of a frame', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const frameWithoutProof = { proofEndsAt: null, videosReadyAt: null };
  const frameInProof = { ...frameWithoutProof, proofEndsAt: new Date(now.getTime() + 1) };
  const frameAfterProof = { ...frameWithoutProof, proofEndsAt: now };
  const createVideoInState = (state: string, isKept = false) => ({ state, keptAt: isKept ? now : null }) as never;
  test.each([
    ['off', frameWithoutProof, [createVideoInState('approved')], 'deliver'],
    ['off', frameWithoutProof, [createVideoInState('approved'), createVideoInState('rendered')], 'wait'],
    ['after', frameWithoutProof, [createVideoInState('approved'), createVideoInState('rendered')], 'wait'],
    ['after', frameWithoutProof, [createVideoInState('approved'), createVideoInState('approved', true)], 'ask'],
    ['after', frameInProof, [createVideoInState('approved')], 'wait'],
    ['after', frameInProof, [createVideoInState('approved', true)], 'deliver'],
    ['after', frameAfterProof, [createVideoInState('approved')], 'deliver'],
    ['after', frameAfterProof, [createVideoInState('queued')], 'wait'],
    ['before', frameWithoutProof, [createVideoInState('rendered'), createVideoInState('approved')], 'ask'],
    ['before', frameWithoutProof, [createVideoInState('rendered'), createVideoInState('queued')], 'wait'],
    ['before', frameWithoutProof, [createVideoInState('rendered'), createVideoInState('failed')], 'wait'],
    ['before', frameInProof, [createVideoInState('rendered', true)], 'wait'],
    ['before', frameAfterProof, [createVideoInState('rendered')], 'wait'],
    ['before', frameAfterProof, [createVideoInState('approved')], 'deliver'],
    ['after', { ...frameWithoutProof, videosReadyAt: now }, [createVideoInState('approved')], 'wait'],
  ] as const)('with proof %s, frame %j and videos %j, the next step is %s', (when, frame, all, step) =>
    expect(findNextFrameStep(frame, [...all], { when, redos: 1 }, now)).toBe(step),
  );
});

describeOnFastestEngine((fresh) => {
  test('proof after approval: the customer gets an email per round, requests one redo and accepts the rest', async () => {
    const { it, approve, approveAll, isReady, deviceId, admin } = await makeVideos(fresh, 'after');
    expect((await it.browser().post(`/api/devices/${deviceId}/proof-link`)).json.code).toBe('sign-in-needed');
    await approveAll();
    await approveAll();
    expect(await isReady()).toBe(false);
    const [mail] = await waitAndReadEmails(it, 'proof-ready:');
    const token = new URL(mail!.content.proofUrl).pathname.split('/').at(-1)!;
    const api = `/api/proof/${token}`;
    const visitor = it.browser();
    const proof = (await visitor.get(api)).json;
    expect(proof).toMatchObject({ isOver: false, redosLeft: 1, endsAt: mail!.content.endsAt });
    const [first, second] = proof.videos;
    expect((await visitor.get(first.shown.videoUrl)).text).toBe('a video');
    expect((await it.browser().get(first.shown.videoUrl)).status).toBe(404);
    // Before delivery, the proof link opens neither the delivery page nor the archive.
    expect((await visitor.get(`/api/delivery/${token}`)).status).toBe(404);
    expect((await visitor.get(`/videos/all/${deviceId}`)).status).toBe(404);

    const repeatedResponse = await visitor.post(`${api}/videos/${first.id}/again`, {
      style: 'vintage',
      why: 'It is too quick',
    });
    expect(repeatedResponse.json, repeatedResponse.text).toMatchObject({
      redosLeft: 0,
      endsAt: null,
      videos: [
        { id: first.id, take: 2, shown: null },
        { id: second.id, isKept: false },
      ],
    });
    expect((await visitor.post(`${api}/videos/${second.id}/again`, { why: 'Too' })).json.code).toBe('no-redos-left');
    const acceptResponse = await visitor.post(`${api}/keep`, { videos: [{ id: second.id, take: 1 }] });
    expect(acceptResponse.json.videos[1]).toMatchObject({ isKept: true });
    const [order] = (await admin.get('/api/admin/production-orders')).json;
    expect(order.frames[0]).toMatchObject({
      proof: { round: 1, endsAt: null },
      videos: [{ isKept: false, wish: { why: 'It is too quick', take: 1 } }, { isKept: true }],
    });

    const [redone] = await readVideoRows(it);
    await renderTake(it, redone!);
    // A take that is rendered but not approved is not shown in the proof, cannot be accepted, and its file returns 404.
    expect((await visitor.get(api)).json.videos[0].shown).toBeNull();
    expect((await visitor.get(`/videos/${first.id}.mp4?take=2`)).status).toBe(404);
    expect((await visitor.post(`${api}/keep`, { videos: [{ id: first.id, take: 2 }] })).json.code).toBe(
      'video-not-ready',
    );
    await approve(redone!);
    expect(await readQueuedMails(it.shop.db, 'proof-ready:')).toMatchObject([
      { content: {} },
      { content: { videoCount: 1 } },
    ]);
    expect(await readQueuedMails(it.shop.db, 'videos-ready:')).toHaveLength(0);
    const oldResponse = await visitor.post(`${api}/keep`, { videos: [{ id: first.id, take: 1 }] });
    expect(oldResponse.json.code).toBe('video-not-ready'); // another take has replaced the take that the customer saw
    const finishedResponse = await visitor.post(`${api}/keep`, { videos: [{ id: first.id, take: 2 }] });
    expect(finishedResponse.json).toMatchObject({ isOver: true });
    expect(await isReady()).toBe(true);
    expect(await readQueuedMails(it.shop.db, 'videos-ready:')).toHaveLength(1);
    expect((await visitor.post(`${api}/keep`, { videos: [{ id: first.id, take: 2 }] })).json.code).toBe('proof-over');
  });

  test('proof before approval: shows rendered videos, and delivers them only after the owner approves', async () => {
    const { it, approveAll, linkOf, isReady } = await makeVideos(fresh, 'before');
    expect(await readQueuedMails(it.shop.db, 'proof-ready:')).toHaveLength(1);
    const api = await linkOf();
    const visitor = it.browser();
    const { videos } = (await visitor.get(api)).json;
    expect((await visitor.get(videos[0].shown.videoUrl)).text).toBe('a video');
    const seenTakes = videos.map(({ id, take }: Row) => ({ id, take }));
    expect((await visitor.post(`${api}/keep`, { videos: seenTakes })).status).toBe(200);
    expect(await isReady()).toBe(false);
    await approveAll();
    expect(await isReady()).toBe(true);
    expect(await readQueuedMails(it.shop.db, 'videos-ready:')).toHaveLength(1);
  });

  test('after a refund that withdraws the videos, the proof link shows and accepts nothing', async () => {
    const { it, anna, admin, deviceId, linkOf } = await makeVideos(fresh, 'before');
    const api = await linkOf();
    const visitor = it.browser();
    const { videos } = (await visitor.get(api)).json;
    expect((await visitor.get(videos[0].shown.videoUrl)).status).toBe(200);
    const [order] = (await it.shop.db.execute<{ id: string }>(sql`select id from orders`)).rows;
    const refundResponse = await admin.post(`/api/admin/orders/${order!.id}/refunds`, {
      reason: 'Sorry',
      withdrawPhotos: true,
    });
    expect(refundResponse.status, refundResponse.text).toBe(200);
    expect((await visitor.get(api)).json.code).toBe('proof-link-invalid');
    expect((await visitor.get(videos[0].shown.videoUrl)).status).toBe(404);
    const seenTakes = videos.map(({ id, take }: Row) => ({ id, take }));
    expect((await visitor.post(`${api}/keep`, { videos: seenTakes })).json.code).toBe('proof-link-invalid');
    expect((await anna.post(`/api/devices/${deviceId}/proof-link`)).json.code).toBe('proof-over');
  });

  test('delivers no videos after a refund that withdraws them, until that refund fails', async () => {
    const { it, admin, signIn, approveAll, isReady } = await makeVideos(fresh, 'after', 1);
    const { db } = it.shop;
    const [order] = (await db.execute<{ id: string }>(sql`select id from orders`)).rows;
    const refund = { reason: 'Sorry', withdrawPhotos: true };
    expect((await admin.post(`/api/admin/orders/${order!.id}/refunds`, refund)).status).toBe(200);
    await approveAll();
    expect(await readQueuedMails(db, 'proof-ready:')).toEqual([]);
    await db.execute(sql`update refunds set state = 'failed'`);
    await endProofs(it.shop);
    expect(await readQueuedMails(db, 'proof-ready:')).toHaveLength(1);

    await db.execute(sql`update refunds set state = 'succeeded'`);
    it.clock.advance(lifetimes.proofDays * 86_400_000 + 1000);
    await endProofs(it.shop);
    expect(await isReady()).toBe(false);
    expect(await readQueuedMails(db, 'videos-ready:')).toEqual([]);
    await signIn();
    await db.execute(sql`update refunds set state = 'failed'`);
    await endProofs(it.shop);
    expect(await isReady()).toBe(true);
    expect(await readQueuedMails(db, 'videos-ready:')).toHaveLength(1);
  });

  test('delivers approved videos when the proof time ends without a decision of the customer', async () => {
    const { it, anna, approveAll, linkOf, isReady, deviceId } = await makeVideos(fresh, 'after', 1);
    expect((await anna.post(`/api/devices/${deviceId}/proof-link`)).json.code).toBe('proof-over'); // the proof has not begun yet
    await approveAll();
    await linkOf();
    await endProofs(it.shop);
    expect(await isReady()).toBe(false);
    it.clock.advance(lifetimes.proofDays * 86_400_000 + 1000);
    await endProofs(it.shop);
    await endProofs(it.shop);
    const { frames } = await readAllTables(it.shop.db);
    expect(frames).toMatchObject([{ videos_ready_at: expect.any(String), proof_ends_at: null }]);
    expect(await readQueuedMails(it.shop.db, 'videos-ready:')).toHaveLength(1);
  });

  test('delivers at most 200 frames per run; frames that wait for the owner do not delay others', async () => {
    const { it, approveAll, linkOf } = await makeVideos(fresh, 'after', 1);
    await approveAll();
    await linkOf();
    const { db } = it.shop;
    // Add 250 frames whose only video waits for the owner, and 250 frames like Anna's. All their proofs end before
    // hers.
    await db.execute(sql`
      insert into frames select (jsonb_populate_record(frames, jsonb_build_object(
        'id', kind || n, 'position', position + n + case kind when 'waiting' then 250 else 0 end,
        'proof_ends_at', proof_ends_at - interval '1 hour'))).*
      from frames, generate_series(1, 250) n, unnest(array['waiting', 'approved']) kind`);
    await db.execute(sql`
      insert into uploads select (jsonb_populate_record(uploads, jsonb_build_object(
        'id', it.id, 'frame_id', it.id, 'file_name', it.id))).*
      from uploads, frames it where it.id like 'waiting%'`);
    await db.execute(sql`
      insert into videos select (jsonb_populate_record(videos, jsonb_build_object(
        'id', it.id, 'upload_id', it.id, 'frame_id', it.id, 'state', 'rendered'))).*
      from videos, frames it where it.id like 'waiting%'`);
    const readDelivered = async () =>
      (await db.execute(sql`select from frames where videos_ready_at is not null`)).rows.length;
    it.clock.advance(lifetimes.proofDays * 86_400_000 + 1000);
    await endProofs(it.shop);
    expect(await readDelivered()).toBe(200);
    await endProofs(it.shop);
    expect(await readDelivered()).toBe(251);
  });

  test('delivers at most 200 frames of failed refunds per run, except frames that wait or have withdrawn videos', async () => {
    const { it, admin, approveAll } = await makeVideos(fresh, 'after', 1);
    const { db } = it.shop;
    /** Runs the job and returns the number of frames that it locked. */
    const countLockedFrames = async () => {
      const transactions = vi.spyOn(db, 'transaction');
      await endProofs(it.shop);
      const { length } = transactions.mock.calls;
      transactions.mockRestore();
      return length;
    };
    const [order] = (await db.execute<{ id: string }>(sql`select id from orders`)).rows;
    const refund = { reason: 'Sorry', withdrawPhotos: true };
    expect((await admin.post(`/api/admin/orders/${order!.id}/refunds`, refund)).status).toBe(200);
    await db.execute(sql`update refunds set state = 'failed'`);
    expect(await countLockedFrames()).toBe(0); // the video waits for the owner

    await db.execute(sql`
      insert into refunds select (jsonb_populate_record(refunds, '{"id": "later", "state": "succeeded"}')).* from refunds`);
    await approveAll();
    expect(await countLockedFrames()).toBe(0);

    await db.execute(sql`delete from refunds where id = 'later'`);
    for (const [table, changed] of [
      ['frames', sql`'id', 'more' || n, 'position', n + 1`],
      ['uploads', sql`'id', 'more' || n, 'frame_id', 'more' || n, 'file_name', n`],
      ['videos', sql`'id', 'more' || n, 'frame_id', 'more' || n, 'upload_id', 'more' || n`],
    ] as const)
      await db.execute(sql`
        insert into ${sql.identifier(table)}
        select (jsonb_populate_record(${sql.identifier(table)}, jsonb_build_object(${changed}))).*
        from ${sql.identifier(table)}, generate_series(1, 250) n`);
    expect([await countLockedFrames(), await countLockedFrames(), await countLockedFrames()]).toEqual([200, 51, 0]);
  });

  test('a video that the owner uploaded waits for the customer’s approval like any other video', async () => {
    const { it, admin, signIn, approveAll, isReady } = await makeVideos(fresh, 'after');
    await approveAll();
    it.clock.advance(lifetimes.proofDays * 86_400_000 - 60_000);
    await signIn();
    const [first] = await readVideoRows(it);
    expect(
      (await admin.put(`/api/admin/videos/${first!.id}/film`, createOwnersVideoForm(await createOwnersVideoFile())))
        .status,
    ).toBe(200);
    it.clock.advance(120_000);
    await renderTake(it, (await readVideoRows(it))[0]!);
    await approveAll();
    await endProofs(it.shop);
    expect(await isReady()).toBe(false);
    expect(await readQueuedMails(it.shop.db, 'proof-ready:')).toHaveLength(2);
  });

  test('delivered videos stay available, and only the videos of an add-on get a new proof', async () => {
    const { it, anna, admin, signIn, approveAll, deviceId, isReady } = await makeVideos(fresh, 'after');
    await approveAll();
    it.clock.advance(lifetimes.proofDays * 86_400_000 + 1000);
    await signIn();
    await endProofs(it.shop);
    expect(await isReady()).toBe(true);
    await buyAddon(anna, deviceId);
    await uploadTo(anna, deviceId);
    expect((await anna.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
    const readFrame = async () => (await anna.get('/api/frame-photo-limits')).json.frames[0];
    expect(await readFrame()).toMatchObject({ isInProof: false, videosReadyAt: null });
    expect((await admin.get('/api/admin/production-orders')).json[0].frames[0].proof).toBeNull();
    expect((await anna.post(`/api/devices/${deviceId}/proof-link`)).json.code).toBe('proof-over');
    const { path } = (await anna.post(`/api/devices/${deviceId}/delivery-link`)).json;
    expect((await anna.get(`/api${path as string}`)).json.videos).toHaveLength(2);

    await renderTake(it, (await readVideoRows(it))[2]!);
    await approveAll();
    expect(await readFrame()).toMatchObject({ isInProof: true });
    expect((await readQueuedMails(it.shop.db, 'proof-ready:')).map((mail) => mail.content.videoCount)).toEqual([2, 1]);
  });

  test('returns 409 video-not-ready for an approval or wish about an outdated take, and changes nothing', async () => {
    const { it, admin, linkOf } = await makeVideos(fresh, 'after', 1);
    const [{ id }] = (await readVideoRows(it)) as [Row];
    const approveOne = (body?: object) => admin.post(`/api/admin/videos/${id}/approve`, body);
    const renderFirstVideoAgain = async () => renderTake(it, (await readVideoRows(it))[0]!);
    expect((await admin.post(`/api/admin/videos/${id}/redo`, {})).json.take).toBe(2);
    await renderFirstVideoAgain();
    const tablesBefore = await readAllTables(it.shop.db);
    const staleResponse = await approveOne({ take: 1 });
    expect([staleResponse.status, staleResponse.json.code]).toEqual([409, 'video-not-ready']);
    expect((await approveOne({ take: 0 })).json.code).toBe('invalid-request');
    expect(await readAllTables(it.shop.db)).toEqual(tablesBefore);
    expect((await approveOne({ take: 2 })).json).toMatchObject({ state: 'approved', take: 2 });
    expect((await approveOne()).status).toBe(200); // without `take`, the current take is approved

    const api = await linkOf();
    const visitor = it.browser();
    const requestRedo = (take: number) => visitor.post(`${api}/videos/${id}/again`, { why: 'It is too quick', take });
    expect((await visitor.get(api)).json.videos).toMatchObject([{ take: 2, shown: { take: 2 } }]);
    const tablesWithOpenRound = await readAllTables(it.shop.db);
    expect((await requestRedo(1)).json.code).toBe('video-not-ready');
    expect(await readAllTables(it.shop.db)).toEqual(tablesWithOpenRound);
    expect((await requestRedo(2)).json.redosLeft).toBe(0);
    await renderFirstVideoAgain();
    expect((await approveOne()).status).toBe(200);
    expect((await requestRedo(2)).json.code).toBe('video-not-ready');
    expect((await visitor.get(api)).json.videos).toMatchObject([{ take: 3, shown: { take: 3 } }]);
  });

  test('refuses proof links that are modified or revoked, and videos of another frame', async () => {
    const { it, approveAll, linkOf, deviceId, anna } = await makeVideos(fresh, 'after', 1);
    await approveAll();
    const api = await linkOf();
    const [video] = await readVideoRows(it);
    const token = api.split('/').at(-1)!;
    const tablesBefore = await readAllTables(it.shop.db);
    for (const wrongValue of [`${token}x`, token.toUpperCase(), 'none']) {
      const strangersBrowser = it.browser();
      expect((await strangersBrowser.get(`/api/proof/${wrongValue}`)).json.code).toBe('proof-link-invalid');
      const keepResponse = await strangersBrowser.post(`/api/proof/${wrongValue}/keep`, {
        videos: [{ id: video!.id, take: 1 }],
      });
      expect(keepResponse.json.code).toBe('proof-link-invalid');
    }
    expect((await anna.post(`${api}/keep`, { videos: [{ id: 'none', take: 1 }] })).json.code).toBe('not-found');
    for (const videos of [[], [{ id: video!.id, take: 0 }], [{ id: video!.id }], 'all'])
      expect((await anna.post(`${api}/keep`, { videos })).json.code).toBe('invalid-request');
    expect(await readAllTables(it.shop.db)).toEqual(tablesBefore);
    await it.shop.db.execute(sql`update videos set frame_id = 'another' where id = ${video!.id}`);
    expect((await anna.post(`${api}/videos/${video!.id}/again`, { why: 'x' })).json.code).toBe('not-found');
    await it.shop.db.execute(sql`update tokens set revoked_at = now() where purpose = 'proof'`);
    expect((await anna.get(api)).json.code).toBe('proof-link-invalid');
    expect(deviceId).toBeTruthy();
  });

  test('emails the customer once when a new take that they requested after delivery is approved', async () => {
    const testShop = await openTestShop(fresh);
    const { browser: anna, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await uploadTo(anna, deviceId);
    await anna.post('/api/uploads/finalize', { deviceId });
    const acceptProof = async () => {
      const [video] = await readVideoRows(testShop);
      await renderVideo(
        { ...testShop.shop, autoApproves: async () => true },
        { videoId: video!.id, take: video!.take },
        attempt,
      );
      return video!;
    };
    const video = await acceptProof();
    const { path } = (await anna.post(`/api/devices/${deviceId}/delivery-link`)).json;
    await anna.post(`/api${path}/videos/${video.id}/again`, { why: 'Slower' });
    expect(await readQueuedMails(testShop.shop.db, 'video-again:')).toEqual([]);
    await acceptProof();
    await acceptProof(); // the approval is sent a second time
    expect(await readQueuedMails(testShop.shop.db, 'video-again:')).toMatchObject([{ content: { title: '' } }]);
    expect(await readQueuedMails(testShop.shop.db, 'videos-ready:')).toHaveLength(1);
  });
});

describeOnPostgres((fresh) => {
  test('delivers a frame’s videos once when the customer accepts one and the owner approves another at the same time', async () => {
    const { it, approve, linkOf, isReady, anna } = await makeVideos(fresh, 'before', 3);
    const api = await linkOf();
    const videos = await readVideoRows(it);
    const keepVideo = ({ id, take }: Row) => anna.post(`${api}/keep`, { videos: [{ id, take }] });
    const responses = await Promise.all([...videos.map(keepVideo), ...videos.map(approve), ...videos.map(approve)]);
    expect(responses.filter((answer) => answer.status >= 500)).toEqual([]);
    expect(await isReady()).toBe(true);
    expect(await readQueuedMails(it.shop.db, 'videos-ready:')).toHaveLength(1);
    expect(await readQueuedMails(it.shop.db, 'proof-ready:')).toHaveLength(1);
  });
});
