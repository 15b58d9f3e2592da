import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { toShopDay } from '#contract/calendar.ts';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { quickImaging } from '#test/imaging.ts';
import { anna, buyFramesAsAnna, buyAndVerify, fetchFrames, createPhotoForm, createSmallPhoto } from '#test/people.ts';
import {
  createResumableUpload,
  cancelUpload,
  fetchUploadOffset,
  listFileFolders,
  sendPiece,
  sendRemainder,
  sendPhotoInPieces,
  requestUploadCreation,
} from '#test/resumable-upload.ts';
import { countRows, readAllTables, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';

const bytes = Buffer.from('photo');
/** Uploads one photo per request, as the page does. */
function openLinkPages(
  browser: Browser,
  { token, name = 'kite.jpg', key }: { token?: string; name?: string; key?: string } = {},
) {
  const form = new FormData();
  if (token !== undefined) form.append('token', token);
  if (key !== undefined) form.append('key', key);
  form.append('photos[]', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), name);
  return browser.post('/api/customer-upload', form);
}

async function signInOwner(it: TestShop) {
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  return admin;
}
/** Anna’s browser and frames, her customer id, and an upload link that the owner created for her. */
async function createUploadLink(it: TestShop, cart: { quantity?: number } = {}) {
  const annasFrames = await buyFramesAsAnna(it, cart);
  const admin = await signInOwner(it);
  const { id } = (await annasFrames.browser.get('/api/auth/user')).json as { id: string };
  const createResponse = await admin.post(`/api/admin/customers/${id}/generate-upload-link`);
  expect(createResponse.status, createResponse.text).toBe(200);
  const address = new URL(createResponse.json.uploadUrl);
  return { ...annasFrames, admin, id, made: createResponse.json, token: address.searchParams.get('token')! };
}
/** The browser of another person who has opened the upload link. */
async function openLinkAs(it: TestShop, token: string): Promise<Browser> {
  const browser = it.browser();
  expect((await browser.get(`/api/upload-token/validate/${token}`)).status).toBe(200);
  return browser;
}
const toStatusAndCode = ({ status, json }: Awaited<ReturnType<Browser['get']>>) => [status, json.code];
const piecesPath = '/api/customer-upload/arrivals';

/** Two contributors of a customer’s collect link, and the API path at which they create uploads. */
async function createCollectLink(it: TestShop, browser: Browser, deviceId: string) {
  const ownPath = `/api/devices/${deviceId}/collect-link`;
  const { url } = (await browser.post(ownPath, { name: 'A feast', lastDay: toShopDay(it.clock.now()) })).json;
  const api = `/api${new URL(url).pathname}`;
  const joinLink = async (firstName: string) => {
    const contributorsBrowser = it.browser();
    expect((await contributorsBrowser.post(`${api}/contributors`, { firstName })).status).toBe(200);
    return contributorsBrowser;
  };
  return { own: ownPath, api, pieces: `${api}/arrivals`, lina: await joinLink('Lina'), tom: await joinLink('Tom') };
}

describeOnFastestEngine((fresh) => {
  test('a guest can add, see and delete photos and finalize frames through an upload link', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames, id, made, token } = await createUploadLink(testShop, { quantity: 3 });
    expect(made).toMatchObject({
      expiresIn: '7 days',
      uploadUrl: expect.stringMatching(/\/customer-upload\?token=[\w-]{43}$/),
    });
    const [mail] = await readQueuedMails(testShop.shop.db, 'upload-link');
    expect(mail).toMatchObject({ to: anna.email, content: { kind: 'upload-link', uploadUrl: { subjectId: id } } });

    const guest = testShop.browser();
    const openedResponse = await guest.get(`/api/upload-token/validate/${token}`);
    expect(openedResponse.json).toMatchObject({ valid: true, customerId: id, customerName: 'Anna Keller' });
    expect(String(openedResponse.headers['set-cookie'])).toMatch(
      /^upload-link=[\w-]{43}; Max-Age=60\d{4}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect((await guest.get('/api/customer-upload')).json).toMatchObject({ isClosed: false, remainingPhotos: 60 });

    await testShop.shop.db.execute(sql`update frames set used_photos = 19 where position = 1`);
    const firstResponse = await openLinkPages(guest);
    const secondResponse = await openLinkPages(guest);
    const thirdResponse = await openLinkPages(guest);
    expect([firstResponse.status, secondResponse.status, thirdResponse.status]).toEqual([200, 200, 200]);
    const framesBefore = await fetchFrames(browser);
    expect(framesBefore.map((frame) => frame.uploads.length)).toEqual([1, 2, 0]);
    const [uploaded] = firstResponse.json.uploads;
    expect((await guest.get(uploaded.url)).status).toBe(200);
    expect((await testShop.browser().get(uploaded.url)).status).toBe(404);
    expect((await guest.get(`/api/customers/${id}/uploads`)).json).toHaveLength(3);
    expect(toStatusAndCode(await guest.get('/api/customers/another/uploads'))).toEqual([404, 'not-found']);

    expect((await guest.delete(`/api/customer-upload/${thirdResponse.json.uploads[0].id}`)).status).toBe(200);
    expect(toStatusAndCode(await guest.delete(`/api/customer-upload/${thirdResponse.json.uploads[0].id}`))).toEqual([
      404,
      'not-found',
    ]);

    expect((await guest.post('/api/customer-upload/finalize')).status).toBe(200);
    expect((await fetchFrames(browser)).map((frame) => frame.uploadFinalized)).toEqual([true, true, false]);
    // After finalizing, the link only shows photos, even if another frame is still open.
    expect((await guest.get('/api/customer-upload')).json).toMatchObject({ isClosed: true });
    expect((await guest.get(uploaded.url)).status).toBe(200);
    for (const response of [
      await openLinkPages(guest),
      await guest.delete(`/api/customer-upload/${uploaded.id}`),
      await guest.post('/api/customer-upload/finalize'),
    ])
      expect(toStatusAndCode(response)).toEqual([409, 'link-closed']);
    expect((await fetchFrames(browser))[2]!.deviceId).toBe(frames[2]!.deviceId);
  });

  test('without an email, only the owner gets the upload link, and the owner can end it', async () => {
    const testShop = await openTestShop(fresh);
    const { admin, id } = await createUploadLink(testShop);
    const mailCountBefore = (await readQueuedMails(testShop.shop.db, 'upload-link')).length;
    const path = `/api/admin/customers/${id}/generate-upload-link`;
    const createResponse = await admin.post(path, { tellCustomer: false });
    expect(createResponse.status).toBe(200);
    const token = new URL(createResponse.json.uploadUrl).searchParams.get('token')!;
    await openLinkAs(testShop, token);
    expect(await readQueuedMails(testShop.shop.db, 'upload-link')).toHaveLength(mailCountBefore);
    expect((await admin.post(path, { tellCustomer: 'no' })).status).toBe(400);
    expect((await readAllTables(testShop.shop.db))['audit_trail']).toContainEqual(
      expect.objectContaining({ act: 'make-upload-link', after: { tellCustomer: false } }),
    );
    await admin.delete(`/api/admin/customers/${id}/upload-links`);
    expect(toStatusAndCode(await testShop.browser().get(`/api/customer-upload?token=${token}`))).toEqual([
      403,
      'link-expired',
    ]);
  });

  test('refuses an upload link that is expired, revoked, modified, of another kind or missing', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { admin, id, token, session } = await createUploadLink(testShop);
    const guest = await openLinkAs(testShop, token);
    const tablesBefore = await readAllTables(testShop.shop.db);
    const expectRefused = async (browser: Browser, offered: string | undefined, code: string) => {
      const query = offered === undefined ? '' : `?token=${offered}`;
      for (const response of [
        await browser.get(`/api/customer-upload${query}`),
        await browser.get(`/api/customers/${id}/uploads${query}`),
        await browser.delete(`/api/customer-upload/none${query}`),
        await browser.post(`/api/customer-upload/finalize${query}`),
        await openLinkPages(browser, offered === undefined ? {} : { token: offered }),
      ])
        expect(toStatusAndCode(response), offered).toEqual([403, code]);
      if (offered !== undefined)
        expect((await browser.get(`/api/upload-token/validate/${offered}`)).json).toEqual({
          valid: false,
          message: expect.stringMatching(/./),
        });
    };
    await expectRefused(testShop.browser(), undefined, 'link-missing');
    await expectRefused(testShop.browser(), `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, 'link-expired');
    await expectRefused(testShop.browser(), session, 'link-expired');
    await expectRefused(guest, 'x'.repeat(43), 'link-expired'); // the token in the request is used, not the cookie
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);

    await openLinkPages(guest);
    expect((await admin.get(`/api/admin/customers/${id}/upload-links`)).json).toHaveLength(1);
    expect((await admin.delete(`/api/admin/customers/${id}/upload-links`)).status).toBe(200);
    expect((await admin.get(`/api/admin/customers/${id}/upload-links`)).json).toEqual([]);
    expect(toStatusAndCode(await guest.get('/api/customer-upload'))).toEqual([403, 'link-expired']);
    await expectRefused(testShop.browser(), token, 'link-expired');
    const [photo] = (await readAllTables(testShop.shop.db))['uploads'] as { file_name: string }[];
    expect((await guest.get(`/uploads/${photo!.file_name}`)).status).toBe(404);

    const repeatedResponse = await admin.post(`/api/admin/customers/${id}/generate-upload-link`);
    const newerToken = new URL(repeatedResponse.json.uploadUrl).searchParams.get('token')!;
    expect((await testShop.browser().get(`/api/customer-upload?token=${newerToken}`)).status).toBe(200);
    await testShop.shop.db.execute(sql`update tokens set expires_at = now() where purpose = 'upload-link'`);
    await expectRefused(testShop.browser(), newerToken, 'link-expired');
  });

  test('only the sender of an incomplete upload can continue, query or cancel it', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser: annas, frames, admin, id, token } = await createUploadLink(testShop);
    const { deviceId } = frames[0]!;
    const anotherLinkResponse = await admin.post(`/api/admin/customers/${id}/generate-upload-link`);
    const annasCollectLink = await createCollectLink(testShop, annas, deviceId);
    const ben = testShop.browser();
    await buyAndVerify(ben, { customerDetails: { ...anna, email: 'ben@example.com' } });
    await ben.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
    const bensFrameId = (await fetchFrames(ben))[0]!.deviceId;
    const bensCollectLink = await createCollectLink(testShop, ben, bensFrameId);
    const senders: { who: string; browser: Browser; at: string; deviceId?: string }[] = [
      { who: 'Anna', browser: annas, at: '/api/arrivals', deviceId },
      { who: 'Ben', browser: ben, at: '/api/arrivals', deviceId: bensFrameId },
      { who: 'a helper', browser: await openLinkAs(testShop, token), at: piecesPath },
      {
        who: 'a helper by another link',
        browser: await openLinkAs(testShop, new URL(anotherLinkResponse.json.uploadUrl).searchParams.get('token')!),
        at: piecesPath,
      },
      { who: 'Lina', browser: annasCollectLink.lina, at: annasCollectLink.pieces },
      { who: 'Tom', browser: annasCollectLink.tom, at: annasCollectLink.pieces },
      { who: 'Lina of Ben’s family', browser: bensCollectLink.lina, at: bensCollectLink.pieces },
    ];
    const startedUploads = await Promise.all(
      senders.map(async ({ browser, at, deviceId: frame }) => {
        const address = await createResumableUpload(browser, frame, 100, { at });
        expect((await sendPiece(browser, address, 0, Buffer.alloc(40))).status).toBe(204);
        return address;
      }),
    );
    const tablesBefore = await readAllTables(testShop.shop.db);
    const sendLastPiece = (browser: Browser, address: string) => sendPiece(browser, address, 40, Buffer.alloc(60));
    const unauthorizedSenders = [...senders, { who: 'a visitor', browser: testShop.browser(), at: '' }];
    for (const { who, browser } of unauthorizedSenders)
      for (const [index, own] of startedUploads.entries()) {
        if (who === senders[index]!.who) continue;
        const arrivalId = own.split('/').at(-1)!;
        for (const address of [own, ...new Set(senders.map(({ at }) => `${at}/${arrivalId}`))])
          for (const sendUploadRequest of [fetchUploadOffset, cancelUpload, sendLastPiece]) {
            const response = await sendUploadRequest(browser, address);
            expect([401, 403, 404], `${who} at ${senders[index]!.who}’s: ${response.text}`).toContain(response.status);
            expect(response.headers['upload-offset']).toBeUndefined();
          }
      }
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
    for (const [index, { who, browser }] of senders.entries())
      expect((await sendLastPiece(browser, startedUploads[index]!)).status, who).toBe(200);
    const { rows } = await testShop.shop.db.execute(sql`
      select count(*)::int as photos, count(waiting_since)::int as waiting from uploads where frame_id = ${deviceId}`);
    expect(rows).toEqual([{ photos: 5, waiting: 2 }]);
  });

  test('guests’ incomplete uploads do not block the customer, and are deleted when their link ends', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames, admin, id, token } = await createUploadLink(testShop);
    const { deviceId } = frames[0]!;
    const guest = await openLinkAs(testShop, token);
    const { own, pieces: at, lina, tom } = await createCollectLink(testShop, browser, deviceId);
    const sendHalfAPhoto = async (who: Browser, where: string) => {
      const address = await createResumableUpload(who, undefined, 100, { at: where });
      await sendPiece(who, address, 0, Buffer.alloc(40));
      return address;
    };
    const [byLina, byTom, byGuest] = [
      await sendHalfAPhoto(lina, at),
      await sendHalfAPhoto(tom, at),
      await sendHalfAPhoto(guest, piecesPath),
    ];
    await testShop.shop.db.execute(sql`
      insert into arrivals (id, frame_id, sender, guest_id, photo_key, name, size_bytes, last_at)
      select 'more-' || n, frame_id, sender, guest_id, 'key-' || n, name, size_bytes, last_at
      from arrivals, generate_series(1, 248) n where id = ${byTom.split('/').at(-1)}`);
    expect(toStatusAndCode(await requestUploadCreation(lina, undefined, 100, { at }))).toEqual([
      409,
      'too-many-arrivals',
    ]);
    expect((await requestUploadCreation(browser, deviceId, 100)).status).toBe(201);

    // While the collect link is paused, uploads through it are refused. After the pause, they continue.
    await browser.put(own, { isPaused: true });
    for (const bytes of [10, 60])
      expect(toStatusAndCode(await sendPiece(lina, byLina, 40, Buffer.alloc(bytes)))).toEqual([409, 'collect-paused']);
    expect(toStatusAndCode(await requestUploadCreation(lina, undefined, 100, { at }))).toEqual([409, 'collect-paused']);
    await browser.put(own, { isPaused: false });
    expect((await fetchUploadOffset(lina, byLina)).headers['upload-offset']).toBe('40');
    expect((await sendPiece(lina, byLina, 40, Buffer.alloc(60))).status).toBe(200);

    await browser.delete(own);
    expect(toStatusAndCode(await requestUploadCreation(tom, undefined, 100, { at }))).toEqual([409, 'collect-ended']);
    expect((await fetchUploadOffset(tom, byTom)).status).toBe(404);
    expect((await fetchUploadOffset(guest, byGuest)).headers['upload-offset']).toBe('40');
    await admin.delete(`/api/admin/customers/${id}/upload-links`);
    expect(toStatusAndCode(await sendPiece(guest, byGuest, 40, Buffer.alloc(60)))).toEqual([403, 'link-expired']);
    expect(toStatusAndCode(await requestUploadCreation(guest, undefined, 100, { at: piecesPath }))).toEqual([
      403,
      'link-expired',
    ]);
    expect((await fetchFrames(browser))[0]).toMatchObject({ usedPhotos: 1 });
    expect(await listFileFolders(testShop)).toEqual(['display', 'originals', 'thumbnails']);
    expect(await countRows(testShop.shop.db, 'arrivals')).toBe(2); // Lina’s upload, which is now a photo, and Anna’s upload
  });

  test('cleans unsafe file names, and accepts several photos in a form whose token comes last', async () => {
    const testShop = await openTestShop(fresh);
    const { token, id } = await createUploadLink(testShop);
    const names = [
      '../../../etc/passwd.jpg',
      'C:\\Users\\anna\\kite.jpg',
      'a\u0000b.jpg',
      'a\r\nset-cookie: x.jpg',
      `${'k'.repeat(300)}.jpg`,
      '👵🏽🎂.jpg',
      '\u202egpj.exe',
    ];
    const form = new FormData();
    for (const name of names)
      form.append('photos', new Blob([new Uint8Array(await createSmallPhoto())], { type: 'image/jpeg' }), name);
    form.append('photos', new Blob(['only words']), 'letter.jpg');
    form.append('token', token);
    const response = await testShop.browser().post('/api/customer-upload', form);
    expect(response.status, response.text).toBe(200);
    expect(response.json.success).toBe(false);
    expect(response.json.refused).toMatchObject([{ name: 'letter.jpg', code: 'invalid-file-type' }]);
    const storedPhotos = (await testShop.browser().get(`/api/customers/${id}/uploads?token=${token}`)).json as {
      originalFileName: string;
    }[];
    expect(storedPhotos).toHaveLength(names.length);
    for (const { originalFileName } of storedPhotos) {
      // oxlint-disable-next-line no-control-regex -- the names must not contain control characters
      expect(originalFileName).not.toMatch(/[\u0000-\u001f/\\\u202e]/);
      expect(originalFileName.length).toBeLessThanOrEqual(255);
    }
    for (const name of ['passwd.jpg', 'kite.jpg', '👵🏽🎂.jpg', 'gpj.exe'])
      expect(storedPhotos.map((it) => it.originalFileName)).toContain(name);
    expect((await openLinkPages(testShop.browser(), { token, key: 'no uuid' })).json.code).toBe('invalid-request');
  });

  test('refuses to finalize without photos, and keeps the link open and other customers unaffected', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { token } = await createUploadLink(testShop);
    const ben = testShop.browser();
    await buyAndVerify(ben, { customerDetails: { ...anna, firstName: 'Ben', email: 'ben@example.com' } });
    await ben.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
    const [bens] = await fetchFrames(ben);
    const photoResponse = await ben.post('/api/upload', createPhotoForm(bens!.deviceId, bytes));
    const guest = await openLinkAs(testShop, token);
    expect((await guest.post('/api/customer-upload/finalize')).json).toMatchObject({
      code: 'no-photos-yet',
      message: 'Please upload at least one photo before finalizing.',
    });
    expect(toStatusAndCode(await guest.delete(`/api/customer-upload/${photoResponse.json.id}`))).toEqual([
      404,
      'not-found',
    ]);
    expect((await guest.get(photoResponse.json.url)).status).toBe(404);
    expect((await openLinkPages(guest)).status).toBe(200);
    expect(await fetchFrames(ben)).toMatchObject([{ usedPhotos: 1, uploadFinalized: false }]);
  });
});

describeOnPostgres((fresh) => {
  test('stores one photo when fifty uploads of all kinds arrive at once for the last place', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames, token } = await createUploadLink(testShop);
    const { deviceId } = frames[0]!;
    const guest = await openLinkAs(testShop, token);
    const { api, pieces: at, lina, tom } = await createCollectLink(testShop, browser, deviceId);
    await testShop.shop.db.execute(sql`update frames set used_photos = 19`);
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        [
          () => browser.post('/api/upload', createPhotoForm(deviceId, bytes)),
          () => openLinkPages(guest),
          () => lina.post(`${api}/photos`, createPhotoForm(undefined, bytes)),
          () => sendPhotoInPieces(browser, bytes, { deviceId }),
          () => sendPhotoInPieces(guest, bytes, { at: piecesPath }),
          () => sendPhotoInPieces(tom, bytes, { at }),
        ][index % 6]!(),
      ),
    );
    expect(responses.filter((answer) => answer.status === 200)).toHaveLength(1);
    for (const { status, json } of responses)
      if (status !== 200) expect(['photo-limit-reached', 'collect-full']).toContain(json.code);
    expect(await fetchFrames(browser)).toMatchObject([{ usedPhotos: 20, uploads: [{}] }]);
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(1);
  });

  test('a guest’s photo that arrives in pieces while the frame is finalized is finalized with the frame or refused', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames, token } = await createUploadLink(testShop, { quantity: 2 });
    const { deviceId } = frames[0]!;
    const guest = await openLinkAs(testShop, token);
    const { pieces: at, lina } = await createCollectLink(testShop, browser, deviceId);
    const beginUpload = async (who: Browser, where: string) => {
      const address = await createResumableUpload(who, undefined, bytes.length, { at: where });
      return () => sendRemainder(who, address, bytes, 3);
    };
    const sendersOfLina = await Promise.all([1, 2, 3].map(() => beginUpload(lina, at)));
    await browser.post('/api/upload', createPhotoForm(deviceId, bytes));
    const responses = await Promise.all([
      ...sendersOfLina.map((send) => send()),
      browser.post('/api/uploads/finalize', { deviceId }),
    ]);
    for (const { status, json } of responses)
      if (status !== 200) expect(['photos-waiting', 'collect-finalized']).toContain(json.code);
    await testShop.shop.db.execute(sql`update uploads set waiting_since = null`);
    if (responses.at(-1)!.status !== 200) await browser.post('/api/uploads/finalize', { deviceId });

    const sendersOfGuest = await Promise.all([1, 2, 3].map(() => beginUpload(guest, piecesPath)));
    await openLinkPages(guest);
    const [finalized, ...sent] = await Promise.all([
      guest.post('/api/customer-upload/finalize'),
      ...sendersOfGuest.map((send) => send()),
    ]);
    expect(finalized.status).toBe(200);
    for (const { status, json } of sent)
      if (status !== 200) expect(['link-closed', 'frame-finalized']).toContain(json.code);
    expect(toStatusAndCode(await requestUploadCreation(guest, undefined, 10, { at: piecesPath }))[0]).toBe(409);
    expect((await fetchFrames(browser)).map(({ uploadFinalized }) => uploadFinalized)).toEqual([true, true]);
    const { rows } = await testShop.shop.db.execute(sql`
      select (select count(*)::int from uploads) as photos, (select count(*)::int from videos) as videos,
             (select sum(used_photos)::int from frames) as used`);
    expect(rows[0]).toEqual({ photos: rows[0]!['used'], videos: rows[0]!['used'], used: rows[0]!['used'] });
  });

  test('while photos are finalized through a link, an upload or deletion completes before that or is refused', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, admin, id } = await createUploadLink(testShop, { quantity: 3 });
    for (const round of [1, 2]) {
      const createResponse = await admin.post(`/api/admin/customers/${id}/generate-upload-link`);
      const guest = await openLinkAs(testShop, new URL(createResponse.json.uploadUrl).searchParams.get('token')!);
      // Leave three places in the first open frame. Photos beyond that would go to the next frame.
      await testShop.shop.db.execute(sql`update frames set closed_photos = 17 where position = ${round}`);
      const { json } = await openLinkPages(guest);
      await openLinkPages(guest);
      const [, , finalized, , again] = await Promise.all([
        openLinkPages(guest),
        guest.delete(`/api/customer-upload/${json.uploads[0].id}`),
        guest.post('/api/customer-upload/finalize'),
        openLinkPages(guest),
        guest.post('/api/customer-upload/finalize'),
        openLinkPages(guest),
        openLinkPages(guest),
      ]);
      expect(new Set([finalized.status, again.status])).toEqual(new Set([200, 409]));
      expect(toStatusAndCode(await openLinkPages(guest))).toEqual([409, 'link-closed']);
      for (const frame of await fetchFrames(browser)) {
        expect(frame.usedPhotos).toBe(frame.uploads.length);
        if (!frame.uploadFinalized) expect(frame.uploads).toEqual([]); // no photo got into the next frame
      }
    }
    const { rows } = await testShop.shop.db.execute(sql`
      select (select count(*)::int from uploads) as photos, (select count(*)::int from videos) as videos`);
    expect(rows[0]!['photos']).toBe(rows[0]!['videos']);
  });
});
