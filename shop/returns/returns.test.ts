import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dayAfter, dayText, toShopDay } from '#contract/calendar.ts';
import { lifetimes } from '#contract/limits.ts';
import { deleteOldData } from '#server/jobs/retention.ts';
import { namedFiles } from '#server/named-files.ts';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { buyGiftCardCode } from '#test/gift-cards.ts';
import { buyAndVerify, buyFramesAsAnna, anna, createSmallPhoto } from '#test/people.ts';
import { createApprovalForm, labelPdf, createReturnForm } from '#test/returns.ts';
import { countRows, readQueuedMails, readAllTables, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { requestRefund, syncRefunds } from '../refunds/refunds.ts';
import { finishErasure } from '../retention/erasure.ts';

const dayMs = 86_400_000;
const toStatusAndCode = ({ status, json }: { status: number; json: { code: string } }) => [status, json.code];

/** Anna has bought frames, and the owner has shipped them. */
async function buyAndShipOrder(it: TestShop, { quantity = 2, ships = true, giftCards = [] as string[] } = {}) {
  const { browser, frames, session } = await buyFramesAsAnna(it, { quantity, giftCards });
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const [order] = (await admin.get('/api/admin/orders')).json;
  if (ships) await admin.post(`/api/admin/orders/${order.id}/shipment`, { carrier: 'UPS', tellAgain: false });
  const path = `/api/orders/${order.orderNumber}/returns`;
  const readReturns = async () => (await browser.get(path)).json;
  return {
    browser,
    admin,
    session,
    path,
    orderId: order.id as string,
    orderNumber: order.orderNumber as string,
    frameIds: frames.map((frame) => frame.deviceId),
    read: readReturns,
    ask: (ids: string[], fields: Parameters<typeof createReturnForm>[1] = {}, asking: Browser = browser) =>
      asking.post(path, createReturnForm(ids, fields)),
    newest: async () => (await readReturns()).returns[0] as { id: string; state: string },
    history: async () =>
      (await browser.get(`/api/orders/${order.orderNumber}`)).json.history
        .filter((event: { kind: string }) => event.kind === 'return')
        .map((event: { words: string }) => event.words) as string[],
    owners: async () => (await admin.get(`/api/admin/orders/${order.id}/returns`)).json,
    listed: async () =>
      (await admin.get('/api/admin/lists/orders?filter=returns')).json.rows.map((row: { id: string }) => row.id),
    lines: async () =>
      (await admin.get('/api/admin/day-sheet')).json.lines
        .map((line: { kind: string }) => line.kind)
        .filter((kind: string) => kind.startsWith('return')),
  };
}

const listStoredFiles = async (it: TestShop) => {
  const keys: string[] = [];
  for await (const { key } of it.shop.storage.list('returns/')) keys.push(key);
  return keys;
};

describeOnFastestEngine((fresh) => {
  test('a return is requested with a photo, approved with a label, received and refunded', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, admin, frameIds, ask, read, newest, history, owners, listed, lines, orderId } =
      await buyAndShipOrder(testShop);
    expect(await read()).toMatchObject({
      refusal: null,
      returns: [],
      frames: [{ isTaken: false }, { isTaken: false }],
    });
    expect([await listed(), await lines()]).toEqual([[], []]);

    const key = crypto.randomUUID();
    const form = { key, words: 'A crack in the glass', photo: await createSmallPhoto() };
    const returnResponse = await ask([frameIds[0]!], form);
    expect(returnResponse.status, returnResponse.text).toBe(200);
    expect((await ask([frameIds[0]!], form)).status).toBe(200); // the same request is repeated after a lost response
    expect(await listStoredFiles(testShop)).toHaveLength(1);
    expect(await read()).toMatchObject({
      frames: [{ isTaken: true }, { isTaken: false }],
      returns: [{ state: 'requested', frames: ['Kinframe 1'], reason: 'damaged', words: 'A crack in the glass' }],
    });
    const { id } = await newest();
    const photoResponse = await browser.get(`/returns/${id}-photo`);
    expect([photoResponse.status, photoResponse.headers['content-type']]).toEqual([200, 'image/jpeg']);
    expect((await admin.get(`/returns/${id}-photo`)).status).toBe(200);
    expect((await testShop.browser().get(`/returns/${id}-photo`)).status).toBe(404);
    expect(await readQueuedMails(testShop.shop.db, 'owner-return:')).toMatchObject([
      {
        content: { customerName: 'Anna Keller', frames: ['Kinframe 1'], reason: 'It arrived damaged', hasPhoto: true },
      },
    ]);
    expect([await listed(), await lines()]).toEqual([[orderId], ['returns']]);

    const approval = createApprovalForm({ answer: 'Use the box it came in.' }, labelPdf);
    const approvedResponse = await admin.post(`/api/admin/returns/${id}/approve`, approval);
    expect(approvedResponse.status, approvedResponse.text).toBe(200);
    await admin.post(`/api/admin/returns/${id}/approve`, createApprovalForm({ answer: 'A better one.' }, labelPdf));
    expect(await listStoredFiles(testShop)).toHaveLength(2); // the photo and the second label
    expect(await read()).toMatchObject({ returns: [{ state: 'approved', answer: 'A better one.' }] });
    const labelResponse = await browser.get(`/returns/${id}-label`);
    expect([labelResponse.headers['content-type'], labelResponse.bytes.equals(labelPdf)]).toEqual([
      'application/pdf',
      true,
    ]);
    expect([await listed(), await lines()]).toEqual([[], []]);

    expect((await admin.post(`/api/admin/returns/${id}/receive`, { tellCustomer: true })).status).toBe(200);
    expect([await listed(), await lines()]).toEqual([[orderId], ['returns-received']]);
    expect(toStatusAndCode(await browser.post(`/api/returns/${id}/withdraw`))).toEqual([409, 'return-changed']);
    const refund = { amountCents: 19_900, reason: 'Returned', returnId: id, key: crypto.randomUUID() };
    for (const click of ['first', 'repeated'])
      expect((await admin.post(`/api/admin/orders/${orderId}/refunds`, refund)).status, click).toBe(200);
    expect(await owners()).toMatchObject([{ state: 'refunded', refund: { amount: 19_900, isFailed: false } }]);
    expect(
      toStatusAndCode(
        await admin.post(`/api/admin/orders/${orderId}/refunds`, { ...refund, key: crypto.randomUUID() }),
      ),
    ).toEqual([409, 'return-changed']);
    expect(await read()).toMatchObject({ refusal: null, frames: [{ isTaken: true }, { isTaken: false }] });
    expect(toStatusAndCode(await ask([frameIds[0]!]))).toEqual([409, 'return-open']);
    expect([await listed(), await lines()]).toEqual([[], []]);
    expect(await history()).toEqual([
      'Return requested: Kinframe 1.',
      'Return approved: Kinframe 1.',
      'Returned package received: Kinframe 1.',
      'Return refunded: Kinframe 1.',
    ]);
    const returnMails = (await readQueuedMails(testShop.shop.db, 'return-')).map(({ to, content }) => [to, content]);
    expect(returnMails).toMatchObject([
      [anna.email, { what: 'requested' }],
      [anna.email, { what: 'approved', answer: 'Use the box it came in.', hasLabel: true }],
      [anna.email, { what: 'approved', answer: 'A better one.', hasLabel: true }],
      [anna.email, { what: 'received' }],
    ]);
  });

  test('a return whose refund fails waits for its refund again', async () => {
    const testShop = await openTestShop(fresh);
    const { admin, frameIds, ask, newest, owners, orderId } = await buyAndShipOrder(testShop);
    await ask(frameIds.slice(0, 1));
    const { id } = await newest();
    const createRefundForm = () => ({
      amountCents: 19_900,
      reason: 'Returned',
      returnId: id,
      key: crypto.randomUUID(),
    });
    await admin.post(`/api/admin/orders/${orderId}/refunds`, createRefundForm());
    for (const { data } of await readWaitingJobs(testShop.shop.db, 'ask-refund'))
      await requestRefund(testShop.shop, data['refundId'] as string);
    await testShop.shop.db.execute(
      sql`update sandbox_objects set body = jsonb_set(body, '{status}', '"failed"') where type = 'refund'`,
    );
    const { rows } = await testShop.shop.db.execute<{ intent: string }>(sql`select intent_id as intent from payments`);
    await syncRefunds(testShop.shop, rows[0]!.intent);
    expect(await owners()).toMatchObject([{ state: 'received', refund: { isFailed: true } }]);
    expect((await admin.post(`/api/admin/orders/${orderId}/refunds`, createRefundForm())).status).toBe(200);
    expect(await owners()).toMatchObject([{ state: 'refunded', refund: { isFailed: false } }]);
  });

  test('a return shows the total refund to the card and the gift cards', async () => {
    const testShop = await openTestShop(fresh);
    const { code } = await buyGiftCardCode(testShop, 5_000);
    const { admin, frameIds, ask, newest, owners, orderId } = await buyAndShipOrder(testShop, {
      quantity: 1,
      giftCards: [code],
    });
    await ask(frameIds);
    const { id } = await newest();
    const refund = { amountCents: 19_900, reason: 'Returned', returnId: id, key: crypto.randomUUID() };
    expect((await admin.post(`/api/admin/orders/${orderId}/refunds`, refund)).status).toBe(200);
    expect(await owners()).toMatchObject([{ state: 'refunded', refund: { amount: 19_900, isFailed: false } }]);
  });

  test('frames of a declined, withdrawn or replaced return can be returned again, and declining can skip the email', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, admin, frameIds, ask, newest, read, history } = await buyAndShipOrder(testShop, { quantity: 1 });
    await ask(frameIds, { photo: await createSmallPhoto() });
    const firstReturn = await newest();
    for (const click of ['first', 'repeated'])
      expect(
        (await admin.post(`/api/admin/returns/${firstReturn.id}/decline`, { reason: 'It fell', tellCustomer: true }))
          .json,
        click,
      ).toMatchObject({ state: 'declined', answer: 'It fell' });
    expect(
      toStatusAndCode(
        await admin.post(`/api/admin/returns/${firstReturn.id}/decline`, { reason: 'Other', tellCustomer: true }),
      ),
    ).toEqual([409, 'return-changed']);

    await ask(frameIds, { reason: 'other', words: 'It is too bright', photo: await createSmallPhoto() });
    const secondReturn = await newest();
    expect(await listStoredFiles(testShop)).toHaveLength(2);
    for (const click of ['first', 'repeated'])
      expect((await browser.post(`/api/returns/${secondReturn.id}/withdraw`)).json.returns[0], click).toMatchObject({
        state: 'withdrawn',
        photoUrl: null,
      });
    expect(await listStoredFiles(testShop)).toHaveLength(1); // the photo of the declined return
    const lateResponse = await admin.post(`/api/admin/returns/${secondReturn.id}/approve`, createApprovalForm());
    expect(toStatusAndCode(lateResponse)).toEqual([409, 'return-changed']);

    await ask(frameIds);
    const thirdReturn = await newest();
    const close = { outcome: 'replaced', words: 'It ships tomorrow', tellCustomer: false };
    expect((await admin.post(`/api/admin/returns/${thirdReturn.id}/close`, close)).status).toBe(200);
    expect(await read()).toMatchObject({
      refusal: null,
      frames: [{ isTaken: false }],
      returns: [
        { state: 'replaced', closingWords: 'It ships tomorrow' },
        { state: 'withdrawn' },
        { state: 'declined' },
      ],
    });
    expect(await history()).toHaveLength(6);
    const returnMails = (await readQueuedMails(testShop.shop.db, 'return-')).map(
      ({ content }) => (content as { what: string }).what,
    );
    expect(returnMails.toSorted()).toEqual(['declined', 'requested', 'requested', 'requested']);
  });

  test('refuses returns of orders that have not shipped, are too old, were refunded or belong to another customer', async () => {
    const testShop = await openTestShop(fresh);
    const order = await buyAndShipOrder(testShop, { ships: false });
    const { browser, admin, frameIds, ask, read, orderId, session } = order;
    expect(toStatusAndCode(await ask(frameIds))).toEqual([409, 'return-not-shipped']);
    expect((await browser.get(`/api/orders/${order.orderNumber}`)).json.hasReturns).toBe(false);
    await admin.post(`/api/admin/orders/${orderId}/shipment`, { tellAgain: false });
    expect((await browser.get(`/api/orders/${order.orderNumber}`)).json.hasReturns).toBe(true);

    const guest = testShop.browser();
    expect((await guest.get(`/api/orders/${order.orderNumber}?session=${session}`)).json.hasReturns).toBe(true);
    expect(toStatusAndCode(await ask(frameIds, {}, guest))).toEqual([401, 'sign-in-needed']);
    const ben = testShop.browser();
    await buyAndVerify(ben, { customerDetails: { ...anna, email: 'ben@example.com' } });
    await ben.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
    expect(toStatusAndCode(await ask(frameIds, {}, ben))).toEqual([404, 'not-found']);
    for (const [ids, fields, refusal] of [
      [[], {}, [400, 'return-incomplete']],
      [['none'], {}, [404, 'not-found']],
      [frameIds, { reason: 'other', words: ' ' }, [400, 'return-incomplete']],
      [frameIds, { reason: 'because' }, [400, 'return-incomplete']],
      [frameIds, { key: 'x' }, [400, 'return-incomplete']],
      [frameIds, { photo: Buffer.from('not a photo') }, [415, 'invalid-file-type']],
    ] as const)
      expect(toStatusAndCode(await ask([...ids], fields)), JSON.stringify(fields)).toEqual(refusal);
    expect([await countRows(testShop.shop.db, 'returns'), await listStoredFiles(testShop)]).toEqual([0, []]);

    const { lastDay } = await read();
    // A package is in transit for at least five days.
    expect(lastDay >= dayAfter(toShopDay(testShop.clock.now()), lifetimes.returnDays + 5)).toBe(true);
    testShop.clock.advance(Date.parse(lastDay) - Date.parse(toShopDay(testShop.clock.now())));
    await browser.post('/api/auth/login', { email: anna.email, password: 'Sunflower-Field-7' });
    expect(await read()).toMatchObject({ refusal: null });
    testShop.clock.advance(dayMs);
    expect(await read()).toMatchObject({ refusal: 'return-window-over', lastDay });
    const lateResponse = await ask(frameIds);
    expect([...toStatusAndCode(lateResponse), lateResponse.json.message]).toEqual([
      409,
      'return-window-over',
      expect.stringContaining(dayText(lastDay)),
    ]);
  });

  test('an approval needs a text, a link or a label, and a label must be a PDF or an image', async () => {
    const testShop = await openTestShop(fresh);
    const { admin, frameIds, ask, newest } = await buyAndShipOrder(testShop);
    await ask(frameIds);
    const { id } = await newest();
    const approveReturn = (...of: Parameters<typeof createApprovalForm>) =>
      admin.post(`/api/admin/returns/${id}/approve`, createApprovalForm(...of));
    expect(toStatusAndCode(await approveReturn({ answer: '' }))).toEqual([400, 'return-answer-needed']);
    expect(toStatusAndCode(await approveReturn({ labelLink: 'javascript:alert(1)' }))).toEqual([
      400,
      'return-incomplete',
    ]);
    expect(toStatusAndCode(await approveReturn({}, Buffer.from('<script>')))).toEqual([415, 'label-type']);
    expect(toStatusAndCode(await approveReturn({}, Buffer.alloc(6 * 1024 * 1024)))).toEqual([413, 'label-too-large']);
    expect(await listStoredFiles(testShop)).toEqual([]);
    const approvedWithLinkResponse = await approveReturn({ answer: '', labelLink: 'https://labels.example/7' });
    expect(approvedWithLinkResponse.json).toMatchObject({
      state: 'approved',
      labelLink: 'https://labels.example/7',
      labelUrl: null,
    });
    expect((await approveReturn({}, await createSmallPhoto())).json.labelUrl).toBe(`/returns/${id}-label`);
    expect((await admin.get(`/returns/${id}-label`)).headers['content-type']).toBe('image/jpeg');
  });

  test('photo and label are deleted 90 days after the last change', async () => {
    const testShop = await openTestShop(fresh);
    const { admin, frameIds, ask, newest } = await buyAndShipOrder(testShop);
    await ask([frameIds[0]!], { photo: await createSmallPhoto() });
    const { id } = await newest();
    await ask([frameIds[1]!], { photo: await createSmallPhoto() });
    await admin.post(`/api/admin/returns/${id}/approve`, createApprovalForm({}, labelPdf));
    const listStoredKeys = async () =>
      (await readAllTables(testShop.shop.db))['returns']!.flatMap((row) => {
        const { photo_key: photo, label_key: label } = row as Record<string, string | null>;
        return [photo, label].filter(Boolean);
      });
    await deleteOldData(testShop.shop);
    expect(await listStoredKeys()).toHaveLength(3);
    testShop.clock.advance(91 * dayMs);
    await deleteOldData(testShop.shop);
    expect(await listStoredKeys()).toHaveLength(1); // the owner has not answered the other return
  });

  test('deleting the account deletes its returns with their files', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, admin, frameIds, ask, newest } = await buyAndShipOrder(testShop);
    await ask(frameIds, { photo: await createSmallPhoto() });
    const { id } = await newest();
    await admin.post(`/api/admin/returns/${id}/approve`, createApprovalForm({}, labelPdf));
    const zipResponse = await browser.get('/api/account/my-data.zip');
    for (const name of ['-photo.jpg', '-label.pdf']) expect(zipResponse.bytes.includes(`${id}${name}`)).toBe(true);
    expect(zipResponse.bytes.includes(labelPdf)).toBe(true);
    expect(JSON.stringify((await browser.get('/api/account')).json.unfinished)).toContain(
      'Your return of Kinframe 1, Kinframe 2 is not finished.',
    );
    const closedResponse = await browser.post('/api/account/delete', {});
    expect(closedResponse.status, closedResponse.text).toBe(200);
    for (const { data } of await readWaitingJobs(testShop.shop.db, 'finish-erasure'))
      await finishErasure({ ...testShop.shop, words: namedFiles }, data['erasureId'] as string);
    expect([await countRows(testShop.shop.db, 'returns'), await listStoredFiles(testShop)]).toEqual([0, []]);
    expect(JSON.stringify((await readAllTables(testShop.shop.db))['mails'])).not.toContain('crack');
  });
});

describeOnPostgres((fresh) => {
  test('two tabs that request a return of the same frame at once create one return', async () => {
    const testShop = await openTestShop(fresh);
    const { frameIds, ask, read } = await buyAndShipOrder(testShop);
    const photo = await createSmallPhoto();
    const responses = await Promise.all([
      ask(frameIds, { photo }),
      ask([frameIds[0]!], { photo }),
      ask([frameIds[0]!]),
      ask([frameIds[1]!]),
    ]);
    const storedResponses = responses.filter((answer) => answer.status === 200);
    for (const response of responses.filter((it) => it.status !== 200))
      expect(toStatusAndCode(response)).toEqual([409, 'return-open']);
    const { frames, returns } = await read();
    expect(returns).toHaveLength(storedResponses.length);
    expect(returns.flatMap((each: { frames: string[] }) => each.frames).toSorted()).toEqual(
      frames.filter((each: { isTaken: boolean }) => each.isTaken).map((each: { name: string }) => each.name),
    );
    expect(await readQueuedMails(testShop.shop.db, 'owner-return:')).toHaveLength(storedResponses.length);
    expect(await listStoredFiles(testShop)).toHaveLength(
      returns.filter((each: { photoUrl: string | null }) => each.photoUrl).length,
    );
  });

  test('a return is either withdrawn, or approved and then withdrawn, when both happen at the same time', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, admin, frameIds, ask, newest } = await buyAndShipOrder(testShop);
    await ask(frameIds);
    const { id } = await newest();
    const [withdrawn, approved] = await Promise.all([
      browser.post(`/api/returns/${id}/withdraw`),
      admin.post(`/api/admin/returns/${id}/approve`, createApprovalForm({}, labelPdf)),
    ]);
    expect(withdrawn.status).toBe(200);
    if (approved.status !== 200) expect(toStatusAndCode(approved)).toEqual([409, 'return-changed']);
    expect(await newest()).toMatchObject({ state: 'withdrawn', labelUrl: null });
    expect(await listStoredFiles(testShop)).toEqual([]);
    expect(await readQueuedMails(testShop.shop.db, 'return-approved:')).toHaveLength(approved.status === 200 ? 1 : 0);
  });

  test('two refunds of one return at the same time refund it once', async () => {
    const testShop = await openTestShop(fresh);
    const { admin, frameIds, ask, newest, orderId } = await buyAndShipOrder(testShop);
    await ask(frameIds);
    const { id } = await newest();
    const refundReturn = (returnId: string) =>
      admin.post(`/api/admin/orders/${orderId}/refunds`, {
        amountCents: 100,
        reason: 'Back',
        returnId,
        key: crypto.randomUUID(),
      });
    const responses = await Promise.all([
      refundReturn(id),
      refundReturn(id),
      admin.post(`/api/admin/returns/${id}/close`, { outcome: 'closed', words: '', tellCustomer: true }),
    ]);
    expect(responses.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect((await admin.get(`/api/admin/orders/${orderId}`)).json.refundedAmount).toBe(
      responses[2].status === 200 ? 0 : 100,
    );
  });

  test('no return is stored for an account that is deleted at the same time', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frameIds, ask } = await buyAndShipOrder(testShop);
    const returnRequest = ask(frameIds, { photo: await createSmallPhoto() });
    const [returnResponse, closed] = await Promise.all([returnRequest, browser.post('/api/account/delete', {})]);
    expect([200, 401, 404]).toContain(returnResponse.status);
    expect(closed.status).toBe(200);
    for (const { data } of await readWaitingJobs(testShop.shop.db, 'finish-erasure'))
      await finishErasure({ ...testShop.shop, words: namedFiles }, data['erasureId'] as string);
    expect([await countRows(testShop.shop.db, 'returns'), await listStoredFiles(testShop)]).toEqual([0, []]);
  });
});
