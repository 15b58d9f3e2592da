import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { AdminCustomer, AdminCustomerDetails, AdminUser } from '#contract/owner/people.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { anna, buyFramesAsAnna, buyAndVerify, fetchFrames, uploadTo } from '#test/people.ts';
import { readAllTables, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';

async function signInOwner(it: TestShop): Promise<Browser> {
  const owner = it.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  return owner;
}
const benOde = { ...anna, firstName: 'Ben', lastName: 'Ode', email: 'ben@example.com' };
/** A shop with three people: Anna has two frames and an extra package, Ben bought as a guest, Clara only signed up. */
async function createThreePeople(it: TestShop) {
  const { browser: annas } = await buyFramesAsAnna(it, { quantity: 2, extraPackages: 1 });
  await buyAndVerify(it.browser(), { customerDetails: benOde });
  const clara = { firstName: '<img src=x onerror=alert(1)>', lastName: 'Über', email: 'clara@example.com' };
  await it.browser().post('/api/auth/register', { ...clara, password: 'Kite-over-sea-4' });
  return { annas, owner: await signInOwner(it) };
}

describeOnFastestEngine((fresh) => {
  test('emails a customer once about added credits, but not about removed or unchanged credits, nor if the owner turns the email off', async () => {
    const testShop = await openTestShop(fresh);
    const { owner, annas } = await createThreePeople(testShop);
    const { id } = (await annas.get('/api/auth/user')).json;
    for (const reuploadCredits of [2, 2, 3, 1])
      expect((await owner.put(`/api/admin/users/${id}`, { reuploadCredits })).status).toBe(200);
    // The whole request is refused.
    await owner.put(`/api/admin/users/${id}`, { reuploadCredits: 5, basePhotoLimit: 90_000 });
    const creditsWithoutMail = { reuploadCredits: 4, tellCustomer: false };
    expect((await owner.put(`/api/admin/users/${id}`, creditsWithoutMail)).json.reuploadCredits).toBe(4);
    const mails = await readQueuedMails(testShop.shop.db, 'credits-given:');
    expect(mails).toMatchObject([
      { to: anna.email, content: { firstName: 'Anna', given: 2, credits: 2 } },
      { to: anna.email, content: { given: 1, credits: 3 } },
    ]);
  });

  test('the owner sees all people, newest first, and finds them by name, email and order number', async () => {
    const testShop = await openTestShop(fresh);
    const { owner, annas } = await createThreePeople(testShop);
    const { customers } = (await owner.get('/api/admin/customers')).json;
    expect(AdminCustomer.array().parse(customers)).toEqual(customers);
    expect(customers).toMatchObject([
      {
        firstName: '<img src=x onerror=alert(1)>',
        hasAccount: true,
        orderCount: 0,
        totalSpent: 0,
        lastOrderDate: null,
      },
      { email: 'ben@example.com', hasAccount: false, orderCount: 1, deviceCount: 1, photoBundleCount: 0 },
      { email: anna.email, hasAccount: true, orderCount: 1, deviceCount: 2, photoBundleCount: 1, totalSpent: 40799 },
    ]);
    const { id, email } = (await annas.get('/api/auth/user')).json;
    const ticket = { name: 'Anna', email: anna.email, phone: '', subject: 'Two frames', message: 'One for each child' };
    const sentTicket = { ...ticket, smsConsent: false, _honeypot: '', kind: 'support' };
    expect((await annas.post('/api/support-tickets', sentTicket)).status).toBe(200);
    const details = (await owner.get(`/api/admin/customers/${id}`)).json;
    expect(AdminCustomerDetails.parse(details)).toEqual(details);
    expect(details).toMatchObject({
      ...customers[2],
      id,
      email,
      photoLimit: 50,
      usedPhotos: 0,
      orders: [{ totalAmount: 40799, refundedAmount: 0, orderStatus: 'pending' }],
      phones: [],
      addresses: [{ recipientName: 'Anna Keller', isGift: false, address: anna.address }],
      tickets: [{ subject: 'Two frames', status: 'open' }],
      user: { id, reuploadCredits: 0, extraPhotoPackages: 1 },
    });
    expect(details.products.map((product: { quantity: number }) => product.quantity)).toEqual([2, 1]);
    const findPeople = async (question: string) =>
      (await owner.get(`/api/admin/lists/customers?${question}`)).json.rows.map((row: { email: string }) => row.email);
    for (const searchText of ['keller anna', 'anna@', details.orders[0].orderNumber])
      expect(await findPeople(`q=${searchText}`), searchText).toEqual([anna.email]);
    expect(await findPeople('q=uber')).toEqual(['clara@example.com']);
    expect(await findPeople('filter=guest')).toEqual(['ben@example.com']);
    expect(await findPeople('filter=no-order')).toEqual(['clara@example.com']);
    expect(await findPeople('sort=-spent')).toEqual([anna.email, 'ben@example.com', 'clara@example.com']);
    const users = (await owner.get('/api/admin/users')).json;
    expect(AdminUser.array().parse(users)).toEqual(users);
    expect(users).toMatchObject([
      { username: 'clara@example.com', hasPurchased: false, basePhotoLimit: 0, purchaseDate: null },
      { id, customerId: id, hasPurchased: true, basePhotoLimit: 40, extraPhotoPackages: 1, reuploadCredits: 0 },
    ]);
    expect((await owner.get('/api/admin/customers/none')).json.code).toBe('not-found');
    const guestDetails = (await owner.get(`/api/admin/customers/${customers[1].id}`)).json;
    expect(guestDetails).toMatchObject({ photoLimit: 20, orders: [{}], tickets: [], user: null });
    expect((await owner.put(`/api/admin/users/${customers[1].id}`, { reuploadCredits: 1 })).json.code).toBe(
      'not-found',
    );
    for (const path of ['customers', 'lists/customers', `customers/${id}`, 'users', 'lists/users'])
      expect((await annas.get(`/api/admin/${path}`)).json.code, path).toBe('admin-needed');
    expect((await annas.put(`/api/admin/users/${id}`, { reuploadCredits: 1 })).json.code).toBe('admin-needed');
  });

  test('accepts uploads only up to the limits that the owner sets', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const owner = await signInOwner(testShop);
    const { deviceId } = frames[0]!;
    const { id } = (await browser.get('/api/auth/user')).json;
    const changeUser = (change: object) => owner.put(`/api/admin/users/${id}`, change);
    const readLimit = async () => (await browser.get('/api/frame-photo-limits')).json.globalTotalLimit as number;

    expect((await changeUser({ basePhotoLimit: 1 })).json).toMatchObject({ basePhotoLimit: 1, extraPhotoPackages: 0 });
    expect(await readLimit()).toBe(1);
    expect((await uploadTo(browser, deviceId)).status).toBe(200);
    expect((await uploadTo(browser, deviceId)).json.code).toBe('photo-limit-reached');
    const refusedResponse = await changeUser({ basePhotoLimit: 0 });
    expect([refusedResponse.status, refusedResponse.json.message]).toEqual([
      409,
      'The base photos can’t go below 1 right now. The others are filled with photos or belong to a finalized frame.',
    ]);
    await browser.post('/api/uploads/finalize', { deviceId });
    expect((await uploadTo(browser, deviceId)).json.code).toBe('frame-finalized');

    // Places that are added to a finalized frame reopen it only for these places.
    expect((await changeUser({ basePhotoLimit: 2, reuploadCredits: 1 })).json).toMatchObject({
      basePhotoLimit: 2,
      reuploadCredits: 1,
      usedPhotos: 1,
    });
    expect((await uploadTo(browser, deviceId)).status).toBe(200);
    expect((await uploadTo(browser, deviceId)).json.code).toBe('photo-limit-reached');
    expect((await changeUser({ extraPhotoPackages: 2 })).json).toMatchObject({
      basePhotoLimit: 2,
      extraPhotoPackages: 2,
    });
    expect(await readLimit()).toBe(22);
    expect((await fetchFrames(browser))[0]).toMatchObject({ remainingPhotos: 20 });
    expect((await changeUser({ extraPhotoPackages: 0 })).json).toMatchObject({ extraPhotoPackages: 0 });
    expect((await changeUser({ basePhotoLimit: 0 })).json.code).toBe('places-in-use');
  });

  test('a frame without any places is kept, and the owner can add places again', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    const owner = await signInOwner(testShop);
    const { id } = (await browser.get('/api/auth/user')).json;
    const setBaseLimit = (basePhotoLimit: number) => owner.put(`/api/admin/users/${id}`, { basePhotoLimit });
    expect((await setBaseLimit(0)).json.basePhotoLimit).toBe(0);
    expect(await fetchFrames(browser)).toMatchObject([{ remainingPhotos: 0 }]);
    expect((await setBaseLimit(20)).json.basePhotoLimit).toBe(20);
    expect(await fetchFrames(browser)).toMatchObject([{ remainingPhotos: 20 }]);
  });

  test('refuses invalid numbers and read-only fields with an error message, and changes nothing', async () => {
    const testShop = await openTestShop(fresh);
    const { owner, annas } = await createThreePeople(testShop);
    const { id } = (await annas.get('/api/auth/user')).json;
    const tablesBefore = await readAllTables(testShop.shop.db);
    const expectRefusal = async (change: unknown, status: number, words: RegExp) => {
      const response = await owner.put(`/api/admin/users/${id}`, change);
      expect([response.status, response.json.message], JSON.stringify(change)).toEqual([
        status,
        expect.stringMatching(words),
      ]);
    };
    for (const value of [-1, 1.5, '5', null, true, [], {}, 1e9])
      for (const field of ['basePhotoLimit', 'extraPhotoPackages', 'reuploadCredits'])
        await expectRefusal({ [field]: value }, 400, /whole number from 0 to/);
    await expectRefusal({ username: 'me@example.com' }, 400, /no field named username/);
    await expectRefusal({ hasPurchased: true, reuploadCredits: 1 }, 400, /no field named hasPurchased/);
    await expectRefusal({ customerId: 7 }, 400, /customer ID as text/);
    await expectRefusal({ customerId: 'another' }, 409, /are the same account/);
    const [clara] = (await owner.get('/api/admin/users?q=clara')).json;
    const responseWithoutFrames = await owner.put(`/api/admin/users/${clara.id}`, { basePhotoLimit: 20 });
    expect([responseWithoutFrames.status, responseWithoutFrames.json.code]).toEqual([409, 'no-frame-for-places']);
    // If the second half of a change is refused, the first half is not saved either.
    await expectRefusal({ reuploadCredits: 2, basePhotoLimit: 90_000 }, 409, /at most 2,000 photos/);
    expect((await owner.put('/api/admin/users/none', { reuploadCredits: 1 })).status).toBe(404);
    for (const change of [{}, { customerId: '' }, { customerId: id }])
      expect((await owner.put(`/api/admin/users/${id}`, change)).status).toBe(200);
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
  });

  test('records each change with the values before and after it', async () => {
    const testShop = await openTestShop(fresh);
    const { owner, annas } = await createThreePeople(testShop);
    const { id } = (await annas.get('/api/auth/user')).json;
    await owner.put(`/api/admin/users/${id}`, { extraPhotoPackages: 2, reuploadCredits: 3 });
    const { rows } = await testShop.shop.db.execute(
      sql`select act, subject_id, before, after from audit_trail where act = 'edit-user'`,
    );
    expect(rows).toEqual([
      {
        act: 'edit-user',
        subject_id: id,
        before: { basePhotoLimit: 40, extraPhotoPackages: 1, reuploadCredits: 0 },
        after: { basePhotoLimit: 40, extraPhotoPackages: 2, reuploadCredits: 3 },
      },
    ]);
  });
});
