import { expect, test } from 'vitest';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyFramesAsAnna, fetchFrames, createPhotosForm, createSmallPhoto, uploadTo } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';

const signInOwner = async (it: TestShop) => {
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  return admin;
};

describeOnFastestEngine((fresh) => {
  test('the owner adds photos for a customer, saves notes, deletes a photo, and downloads the originals', async () => {
    const testShop = await openTestShop(fresh);
    const { browser: anna, frames } = await buyFramesAsAnna(testShop);
    const admin = await signInOwner(testShop);
    const [order] = (await admin.get('/api/admin/orders')).json as { id: string; orderNumber: string }[];
    const bytes = await createSmallPhoto();
    const emptyResponse = await admin.get(`/api/admin/orders/${order!.id}/download`);
    expect([emptyResponse.status, emptyResponse.json.code]).toEqual([404, 'no-photos-in-order']);

    const form = createPhotosForm(order!.id, [
      ['../Kite on <b>the<b> beach.jpg', bytes],
      ['letter.jpg', Buffer.from('no photo')],
    ]);
    const addedResponse = await admin.post('/api/admin/upload', form);
    expect(addedResponse.json).toMatchObject({
      success: false,
      uploadCount: 1,
      refused: [{ name: 'letter.jpg', code: 'invalid-file-type' }],
    });
    expect((await fetchFrames(anna))[0]).toMatchObject({ usedPhotos: 1 });
    expect((await admin.post('/api/admin/upload', createPhotosForm(order!.id, []))).json.message).toBe(
      'Please select files to upload.',
    );
    expect((await admin.post('/api/admin/upload', createPhotosForm('none', [['a.jpg', bytes]]))).status).toBe(404);

    const [photo] = (await admin.get(`/api/admin/uploads?orderId=${order!.id}`)).json as { id: string }[];
    const notedResponse = await admin.put(`/api/admin/uploads/${photo!.id}`, {
      adminNotes: '<img src=x onerror=alert(1)>',
    });
    expect(notedResponse.json).toMatchObject({ id: photo!.id, adminNotes: '<img src=x onerror=alert(1)>' });
    expect((await admin.put(`/api/admin/uploads/${photo!.id}`, { adminNotes: 'x'.repeat(5001) })).status).toBe(400);
    expect((await admin.put(`/api/admin/uploads/${photo!.id}`, { adminNotes: '', caption: 'x' })).status).toBe(400);

    const originalResponse = await admin.get(`/api/admin/uploads/${photo!.id}/original`);
    expect(originalResponse.headers['content-disposition']).toContain('attachment');
    expect(Number(originalResponse.headers['content-length'])).toBe(bytes.length);
    const zipResponse = await admin.get(`/api/admin/orders/${order!.id}/download`);
    expect(zipResponse.headers['content-disposition']).toContain(`${order!.orderNumber}-photos.zip`);
    expect(zipResponse.text).toContain('Kinframe-1-1/01-Kite-on-b-the-b-beach.jpg');

    expect((await admin.call('DELETE', `/api/admin/uploads/${photo!.id}`)).json.success).toBe(true);
    expect((await fetchFrames(anna))[0]).toMatchObject({ usedPhotos: 0 });
    expect((await admin.call('DELETE', `/api/admin/uploads/${photo!.id}`)).status).toBe(404);

    await uploadTo(anna, frames[0]!.deviceId);
    await anna.post('/api/uploads/finalize', { deviceId: frames[0]!.deviceId });
    const [locked] = (await admin.get(`/api/admin/uploads?orderId=${order!.id}`)).json as { id: string }[];
    expect((await admin.call('DELETE', `/api/admin/uploads/${locked!.id}`)).json.code).toBe('photo-in-production');
    expect((await admin.post('/api/admin/upload', createPhotosForm(order!.id, [['a.jpg', bytes]]))).json.code).toBe(
      'frame-finalized',
    );
    const recordedActs = ((await readAllTables(testShop.shop.db))['audit_trail'] as { act: string }[]).map(
      (row) => row.act,
    );
    expect(recordedActs).toEqual(expect.arrayContaining(['add-photo', 'note-photo', 'delete-photo']));
    expect(recordedActs.filter((act) => act === 'delete-photo')).toHaveLength(1);
  });

  test('names the position of each photo in its frame as the customer ordered them', async () => {
    const testShop = await openTestShop(fresh);
    const { browser: anna, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const { deviceId } = frames[0]!;
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await uploadTo(anna, deviceId)).json.id as string);
    await uploadTo(anna, frames[1]!.deviceId);
    const [first, second, third] = ids;
    const orderedResponse = await anna.put(`/api/devices/${deviceId}/photo-order`, { ids: [third, first, second] });
    expect(orderedResponse.status).toBe(200);
    const admin = await signInOwner(testShop);
    const rows = (await admin.get('/api/admin/uploads')).json as { id: string; positionInFrame: number }[];
    const positions = new Map(rows.map((it) => [it.id, it.positionInFrame]));
    expect([third, first, second].map((id) => positions.get(id!))).toEqual([1, 2, 3]);
    expect(rows).toHaveLength(4);
    expect(rows.filter((it) => it.positionInFrame === 1)).toHaveLength(2);
  });

  test('refuses the second of two conflicting notes on a photo, and returns both notes with the refusal', async () => {
    const testShop = await openTestShop(fresh);
    const { browser: anna, frames } = await buyFramesAsAnna(testShop);
    await uploadTo(anna, frames[0]!.deviceId);
    const admin = await signInOwner(testShop);
    const fetchFirstUpload = async () =>
      ((await admin.get('/api/admin/uploads')).json as { id: string; adminNotes: string }[])[0]!;
    const path = `/api/admin/uploads/${(await fetchFirstUpload()).id}`;
    await admin.put(path, { adminNotes: 'Too dark', adminNotesBefore: '' });
    const tablesBefore = await readAllTables(testShop.shop.db);
    const secondResponse = await admin.put(path, { adminNotes: 'Ask her', adminNotesBefore: '' });
    expect([secondResponse.status, secondResponse.json.code]).toEqual([409, 'notes-changed']);
    expect(secondResponse.json.details).toEqual({ yours: 'Ask her', theirs: 'Too dark' });
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
    // These saves are accepted: a repeated save, a save that names the current note, and a save that names no earlier
    // note.
    for (const body of [
      { adminNotes: 'Too dark', adminNotesBefore: '' },
      { adminNotes: 'Ask her', adminNotesBefore: 'Too dark' },
      { adminNotes: 'Asked' },
    ])
      expect((await admin.put(path, body)).json).toMatchObject({ adminNotes: body.adminNotes });
    expect(await fetchFirstUpload()).toMatchObject({ adminNotes: 'Asked' });
  });

  test('accepts only two of eight photos that are added concurrently to a frame with two places left', async () => {
    const testShop = await openTestShop(fresh);
    const { browser: anna, frames } = await buyFramesAsAnna(testShop);
    const admin = await signInOwner(testShop);
    const [order] = (await admin.get('/api/admin/orders')).json as { id: string }[];
    const bytes = await createSmallPhoto();
    for (let i = 0; i < 18; i++) expect((await uploadTo(anna, frames[0]!.deviceId, bytes)).status).toBe(200);
    const responses = await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        index % 2
          ? (await uploadTo(anna, frames[0]!.deviceId, bytes)).status
          : (await admin.post('/api/admin/upload', createPhotosForm(order!.id, [[`${index}.jpg`, bytes]]))).status,
      ),
    );
    expect(responses.filter((status) => status === 200)).toHaveLength(2);
    expect(responses.filter((status) => status === 409)).toHaveLength(6);
    expect((await fetchFrames(anna))[0]).toMatchObject({ usedPhotos: 20 });
  });
});
