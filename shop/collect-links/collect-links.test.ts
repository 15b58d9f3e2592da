import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dayAfter, toShopDay } from '#contract/calendar.ts';
import { limits } from '#contract/limits.ts';
import { findCustomerByEmail } from '#shop/accounts/accounts.ts';
import { collectOwnData } from '#shop/retention/own-data.ts';
import { deleteOldData } from '#server/jobs/retention.ts';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { quickImaging } from '#test/imaging.ts';
import { anna, buyFramesAsAnna, annasPassword, fetchFrames, createPhotoForm } from '#test/people.ts';
import { countRows, readAllTables, readQueuedMails } from '#test/rows.ts';
import { openTestShop, type Browser, type TestShop } from '#test/shop.ts';

const bytes = Buffer.from('photo');
const dayMs = 86_400_000;

/** Anna’s browser and frame, its collect link, and functions for contributors to join, add photos and read the page. */
async function createCollectLink(it: TestShop, days = 7) {
  const { browser, frames } = await buyFramesAsAnna(it);
  const { deviceId } = frames[0]!;
  const ownPath = `/api/devices/${deviceId}/collect-link`;
  const lastDay = dayAfter(toShopDay(it.clock.now()), days);
  const createResponse = await browser.post(ownPath, { name: 'Grandma’s birthday', lastDay });
  expect(createResponse.status, createResponse.text).toBe(200);
  const path = new URL(createResponse.json.url).pathname;
  expect(path).toMatch(/^\/collect\/[\w-]{43}$/);
  const joinLink = async (firstName: string, api = `/api${path}`) => {
    const contributorsBrowser = it.browser();
    const joinedResponse = await contributorsBrowser.post(`${api}/contributors`, { firstName });
    expect(joinedResponse.status, joinedResponse.text).toBe(200);
    return contributorsBrowser;
  };
  const addPhotoAs = (cousin: Browser, name = 'kite.jpg') =>
    cousin.post(`/api${path}/photos`, createPhotoForm(undefined, bytes, name));
  const readLink = async (who: Browser) => (await who.get(`/api${path}`)).json;
  return { browser, deviceId, own: ownPath, api: `/api${path}`, join: joinLink, give: addPhotoAs, look: readLink };
}
const toStatusAndCode = ({ status, json }: Awaited<ReturnType<Browser['get']>>) => [status, json.code];

describeOnFastestEngine((fresh) => {
  test('a contributor writes the title of an own photo until the customer accepts it', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, deviceId, own, api, join, give, look } = await createCollectLink(testShop);
    const [lina, tom] = [await join('Lina'), await join('Tom')];
    const { id } = (await give(lina)).json;
    const writeCaption = (who: Browser, caption: string) => who.put(`${api}/photos/${id}`, { caption });
    expect((await writeCaption(lina, '  Grandma’s boat ')).json).toMatchObject({ id, caption: 'Grandma’s boat' });
    expect((await look(lina)).photos).toMatchObject([{ caption: 'Grandma’s boat' }]);
    expect((await browser.get(own)).json.contributions[0].photos).toMatchObject([{ caption: 'Grandma’s boat' }]);
    expect(toStatusAndCode(await writeCaption(tom, 'Mine'))).toEqual([404, 'not-found']);
    expect(toStatusAndCode(await writeCaption(testShop.browser(), 'Mine'))).toEqual([401, 'first-name-needed']);
    expect(toStatusAndCode(await writeCaption(lina, 'a'.repeat(limits.captionCharacters + 1)))).toEqual([
      400,
      'invalid-request',
    ]);
    await browser.put(`/api/uploads/${id}`, { isTitled: true });
    // A title that cannot be written on the video is not shown there, like a customer's own.
    expect((await writeCaption(lina, '')).json.caption).toBeNull();
    expect((await fetchFrames(browser))[0]!.uploads).toMatchObject([{ caption: null, isTitled: false }]);
    await writeCaption(lina, 'The boat');
    await browser.post(`/api/devices/${deviceId}/accept-photos`, { ids: [id] });
    expect(toStatusAndCode(await writeCaption(lina, 'Late'))).toEqual([409, 'photo-accepted']);
    await browser.post('/api/uploads/finalize', { deviceId });
    expect(toStatusAndCode(await writeCaption(lina, 'Late'))).toEqual([409, 'collect-finalized']);
    expect((await fetchFrames(browser))[0]!.uploads).toMatchObject([{ caption: 'The boat' }]);
  });

  test('contributors see only their own photos; a frame can be finalized only after the customer decided about each photo', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, deviceId, own, api, join, give, look } = await createCollectLink(testShop);
    const visitor = testShop.browser();
    expect(await look(visitor)).toMatchObject({
      state: 'open',
      name: 'Grandma’s birthday',
      customerFirstName: 'Anna',
      firstName: null,
      remainingPhotos: 20,
      photos: [],
    });
    expect(toStatusAndCode(await give(visitor))).toEqual([401, 'first-name-needed']);
    expect(toStatusAndCode(await visitor.delete(`${api}/photos/none`))).toEqual([401, 'first-name-needed']);

    const [lina, tom] = [await join('Lina'), await join('Tom')];
    const linasPhoto = (await give(lina)).json;
    const tomsPhotos = [(await give(tom)).json, (await give(tom)).json];
    expect(await look(lina)).toMatchObject({
      firstName: 'Lina',
      remainingPhotos: 17,
      photos: [{ id: linasPhoto.id, isWaiting: true }],
    });
    expect((await look(tom)).photos).toHaveLength(2);
    expect((await look(visitor)).photos).toEqual([]);
    expect((await lina.get(linasPhoto.url)).status).toBe(200);
    for (const otherBrowser of [tom, visitor]) {
      expect((await otherBrowser.get(linasPhoto.url)).status).toBe(404);
      expect((await otherBrowser.get(linasPhoto.thumbnailUrl)).status).toBe(404);
    }
    expect(toStatusAndCode(await lina.delete(`${api}/photos/${tomsPhotos[0].id}`))).toEqual([404, 'not-found']);
    expect((await tom.delete(`${api}/photos/${tomsPhotos[1].id}`)).status).toBe(200);

    expect((await browser.get(own)).json.contributions).toMatchObject([
      { firstName: 'Lina', photos: [{ id: linasPhoto.id }] },
      { firstName: 'Tom', photos: [{ id: tomsPhotos[0].id }] },
    ]);
    const customer = await findCustomerByEmail(testShop.shop.db, anna.email);
    const { data } = await collectOwnData(testShop.shop, customer!);
    expect(data.orders[0]!.frames[0]!.photos.map(({ broughtBy }) => broughtBy)).toEqual(['Lina', 'Tom']);
    const finalize = () => browser.post('/api/uploads/finalize', { deviceId });
    expect((await finalize()).json).toMatchObject({
      code: 'photos-waiting',
      message: 'Your family added 2 photos for Kinframe 1. Please accept or remove them in My Uploads first.',
    });
    expect(await countRows(testShop.shop.db, 'videos')).toBe(0);
    expect((await browser.post(`/api/devices/${deviceId}/accept-photos`, { ids: [linasPhoto.id] })).status).toBe(200);
    expect((await browser.delete(`/api/uploads/${tomsPhotos[0].id}`)).status).toBe(200);
    expect((await finalize()).status).toBe(200);
    const { videos } = await readAllTables(testShop.shop.db);
    expect(videos).toMatchObject([{ upload_id: linasPhoto.id }]);
    expect(await look(lina)).toMatchObject({ state: 'finalized', photos: [{ isLocked: true }] });
    expect(toStatusAndCode(await give(lina))).toEqual([409, 'collect-finalized']);
    expect(toStatusAndCode(await lina.delete(`${api}/photos/${linasPhoto.id}`))).toEqual([409, 'collect-finalized']);
    expect(toStatusAndCode(await testShop.browser().post(`${api}/contributors`, { firstName: 'Late' }))).toEqual([
      409,
      'collect-finalized',
    ]);
  });

  test('allows 20 contributors without a photo per network, and deletes their names after a day', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { api, give } = await createCollectLink(testShop);
    const enterFirstName = (browser: Browser, firstName: string) => browser.post(`${api}/contributors`, { firstName });
    const manyAddresses = Array.from({ length: limits.namesPerAddress }, (_, at) => `2001:db8:1:2::${at + 1}`);
    for (const address of manyAddresses)
      expect((await enterFirstName(testShop.browser({ address }), 'Someone')).status).toBe(200);
    const neighbor = testShop.browser({ address: '2001:db8:1:2:ffff::1' });
    expect(toStatusAndCode(await enterFirstName(neighbor, 'Someone'))).toEqual([409, 'too-many-contributors']);
    const lina = testShop.browser({ address: '2001:db8:1:3::1' });
    expect((await enterFirstName(lina, 'Lina')).status).toBe(200);
    expect((await give(lina)).status).toBe(200);
    testShop.clock.advance(1.1 * dayMs);
    await deleteOldData({ db: testShop.shop.db, clock: testShop.clock });
    expect((await readAllTables(testShop.shop.db))['contributors']).toMatchObject([{ first_name: 'Lina' }]);
    expect((await enterFirstName(neighbor, 'Tom')).status).toBe(200);
    expect((await give(lina)).status).toBe(200);
  });

  test('refuses the 201st contributor of a link, and lets the first 200 continue', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { api, join, give } = await createCollectLink(testShop);
    const [lina, late] = [await join('Lina'), await join('Late')];
    const photo = (await give(lina)).json;
    const mostContributors = limits.contributorsPerLink - 1;
    await testShop.shop.db.execute(sql`
      insert into contributors (id, link_id, first_name, created_at)
      select 'helper-' || n, link_id, 'Helper', now() from contributors, generate_series(1, ${mostContributors}::int) n
      where first_name = 'Lina'`);
    await testShop.shop.db.execute(sql`
      insert into uploads select (jsonb_populate_record(u, jsonb_build_object(
        'id', 'photo-' || n, 'file_name', 'photo-' || n, 'contributor_id', 'helper-' || n))).*
      from uploads u, generate_series(1, ${mostContributors}::int) n where u.id = ${photo.id}`);
    expect(toStatusAndCode(await testShop.browser().post(`${api}/contributors`, { firstName: 'Tom' }))).toEqual([
      409,
      'too-many-contributors',
    ]);
    expect(toStatusAndCode(await give(late))).toEqual([409, 'too-many-contributors']);
    expect((await give(lina)).status).toBe(200);
  });

  test('the page of a link shows if the link is paused, full or ended; its photos stay in each state', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, deviceId, own, api, join, give, look } = await createCollectLink(testShop);
    const lina = await join('Lina');
    const photo = (await give(lina)).json;
    await browser.put(own, { isPaused: true });
    expect(await look(lina)).toMatchObject({ state: 'paused', photos: [{ id: photo.id }] });
    expect(toStatusAndCode(await give(lina))).toEqual([409, 'collect-paused']);
    await browser.put(own, { isPaused: false });
    expect((await lina.delete(`${api}/photos/${photo.id}`)).status).toBe(200);
    for (let index = 0; index < 20; index++) expect((await give(lina)).status).toBe(200);
    expect(await look(lina)).toMatchObject({ state: 'full', remainingPhotos: 0 });
    expect(toStatusAndCode(await give(lina))).toEqual([409, 'collect-full']);
    expect(
      toStatusAndCode(await browser.post(own, { name: 'Another', lastDay: toShopDay(testShop.clock.now()) })),
    ).toEqual([409, 'collect-link-open']);

    const otherUrl = (await browser.post(`${own}/address`)).json.url as string;
    expect((await testShop.browser().get(`/api${new URL(otherUrl).pathname}`)).json).toMatchObject({ state: 'full' });
    expect((await browser.delete(own)).status).toBe(200);
    expect(await look(lina)).toMatchObject({ state: 'ended', firstName: 'Lina' });
    expect(toStatusAndCode(await give(lina))).toEqual([409, 'collect-ended']);
    expect(toStatusAndCode(await browser.put(own, { isPaused: false }))).toEqual([409, 'collect-ended']);
    expect((await fetchFrames(browser))[0]!.usedPhotos).toBe(20);
    // After the end of a link, the customer can create a new link.
    expect((await browser.post(own, { name: 'Another', lastDay: toShopDay(testShop.clock.now()) })).status).toBe(200);
    expect((await browser.get(own)).json).toMatchObject({
      link: { name: 'Another', state: 'full' },
      contributions: [{ firstName: 'Lina' }],
    });
    expect(toStatusAndCode(await browser.get(`/api/devices/${deviceId}x/collect-link`))).toEqual([404, 'not-found']);
  });

  test('a link ends after its last day; names are deleted later, when none of its photos waits anymore', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, deviceId, own, join, give, look } = await createCollectLink(testShop, 1);
    const lina = await join('Lina');
    const photo = (await give(lina)).json;
    testShop.clock.advance(3 * dayMs);
    expect(await look(lina)).toMatchObject({ state: 'ended', photos: [{ id: photo.id }] });
    expect(toStatusAndCode(await give(lina))).toEqual([409, 'collect-ended']);
    expect(JSON.stringify(await readAllTables(testShop.shop.db))).toContain('Lina');
    testShop.clock.advance(85 * dayMs);
    await deleteOldData(testShop.shop);
    expect(await countRows(testShop.shop.db, 'contributors')).toBe(1);
    testShop.clock.advance(5 * dayMs);
    await deleteOldData(testShop.shop);
    await browser.post('/api/auth/login', { email: anna.email, password: annasPassword });
    // The photo still waits. Its contributor's name is kept, because the customer needs it to decide.
    expect((await browser.get(own)).json.contributions).toMatchObject([
      { firstName: 'Lina', photos: [{ id: photo.id }] },
    ]);
    expect((await browser.post(`/api/devices/${deviceId}/accept-photos`, { ids: [photo.id] })).status).toBe(200);
    await deleteOldData(testShop.shop);
    expect(JSON.stringify(await readAllTables(testShop.shop.db))).not.toContain('Lina');
    const { uploads } = await readAllTables(testShop.shop.db);
    expect(uploads).toMatchObject([{ id: photo.id, waiting_since: null }]);
  });

  test('refuses invalid days, names and links, and emails an invitation at most once a day per address', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, own, api, join, give } = await createCollectLink(testShop);
    const today = toShopDay(testShop.clock.now());
    await browser.delete(own);
    const tablesBefore = await readAllTables(testShop.shop.db);
    for (const [body, code] of [
      [{ name: 'A feast', lastDay: dayAfter(today, -1) }, 'collect-day-outside'],
      [{ name: 'A feast', lastDay: dayAfter(today, 61) }, 'collect-day-outside'],
      [{ name: '  ', lastDay: today }, 'invalid-request'],
      [{ name: 'x'.repeat(limits.collectNameCharacters + 1), lastDay: today }, 'invalid-request'],
    ] as const)
      expect((await browser.post(own, body)).json.code).toBe(code);
    for (const token of ['none', 'x'.repeat(43), '%00', '..%2f..%2fetc'])
      expect([404, 400]).toContain((await testShop.browser().get(`/api/collect/${token}`)).status);
    expect(toStatusAndCode(await browser.post(`${own}/invitations`, { email: 'uncle@example.com' }))).toEqual([
      409,
      'collect-ended',
    ]);
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);

    await browser.post(own, { name: 'A feast', lastDay: today });
    for (const email of ['uncle@example.com', ' Uncle@example.com ', 'aunt@example.com'])
      expect((await browser.post(`${own}/invitations`, { email })).status).toBe(200);
    expect((await readQueuedMails(testShop.shop.db, 'collect-link')).map(({ to }) => to)).toEqual([
      'uncle@example.com',
      'aunt@example.com',
    ]);
    for (let more = 2; more < limits.collectInvitations; more++)
      await browser.post(`${own}/invitations`, { email: `cousin${more}@example.com` });
    expect(toStatusAndCode(await browser.post(`${own}/invitations`, { email: 'last@example.com' }))).toEqual([
      409,
      'too-many-invitations',
    ]);

    // A contributor of one link is unknown at another link.
    await browser.delete(own);
    const nextLinkResponse = await browser.post(own, { name: 'Again', lastDay: today });
    const nextApi = `/api${new URL(nextLinkResponse.json.url).pathname}`;
    const lina = await join('Lina\u202e 👵🏽', nextApi);
    expect((await lina.get(nextApi)).json.firstName).toContain('👵🏽');
    expect((await lina.post(`${nextApi}/contributors`, { firstName: 'Lina' })).status).toBe(200);
    expect((await lina.get(nextApi)).json.firstName).toBe('Lina');
    expect(await countRows(testShop.shop.db, 'contributors')).toBe(1);
    expect(toStatusAndCode(await give(lina))).toEqual([401, 'first-name-needed']);
    const [link] = [...lina.cookies].find(([name]) => name.startsWith('contributor-'))!;
    const liarsBrowser = testShop.browser();
    liarsBrowser.cookies.set(link, api.split('/').at(-1)!);
    expect(toStatusAndCode(await liarsBrowser.post(`${nextApi}/photos`, createPhotoForm(undefined, bytes)))).toEqual([
      401,
      'first-name-needed',
    ]);
    expect(
      (await lina.post(`${nextApi}/photos`, createPhotoForm(undefined, bytes, '../../a\r\nb\u0000.jpg'))).json
        .originalFileName,
    ).toBe('a%0D%0Ab.jpg');
  });
});

describeOnPostgres((fresh) => {
  test('simultaneous requests for new URLs of a collect link do not create more than the maximum of valid URLs', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, own } = await createCollectLink(testShop);
    await testShop.shop.db.execute(sql`
      insert into tokens (token_hash, purpose, subject_id, created_at, expires_at)
      select 'earlier-' || n, purpose, subject_id, created_at, expires_at
      from tokens, generate_series(2, ${limits.addressesPerCollectLink}::int) n where purpose = 'collect'`);
    const addressResponses = await Promise.all(Array.from({ length: 10 }, () => browser.post(`${own}/address`)));
    for (const { status, text } of addressResponses) expect(status, text).toBe(200);
    const { rows } = await testShop.shop.db.execute(sql`
      select count(*)::int as known from tokens where purpose = 'collect' and revoked_at is null`);
    expect(rows).toEqual([{ known: limits.addressesPerCollectLink }]);
  });

  test('a contributor’s photo that arrives while the frame is finalized waits or is refused, and is never animated without consent', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, deviceId, join, give } = await createCollectLink(testShop);
    const [lina, tom] = [await join('Lina'), await join('Tom')];
    await browser.post('/api/upload', createPhotoForm(deviceId, bytes));
    const finalize = () => browser.post('/api/uploads/finalize', { deviceId });
    const responses = await Promise.all([give(lina), finalize(), give(tom), finalize(), give(lina)]);
    for (const { status, json } of responses)
      if (status !== 200) expect(['photos-waiting', 'collect-finalized', 'frame-finalized']).toContain(json.code);
    const { uploads, videos } = (await readAllTables(testShop.shop.db)) as Record<
      string,
      { id: string; upload_id: string; waiting_since: string | null }[]
    >;
    const ownUploads = uploads!.filter((it) => it.waiting_since === null).map((it) => it.id);
    const isFrameFinalized = (await fetchFrames(browser))[0]!.uploadFinalized;
    expect(videos!.map((it) => it.upload_id)).toEqual(isFrameFinalized ? ownUploads : []);
    if (isFrameFinalized) expect(uploads).toHaveLength(1);
    else expect(uploads!.length).toBeGreaterThan(1);
  });

  test('pausing a link waits for photos that are being added, and later photos are refused', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, own, join, give } = await createCollectLink(testShop);
    const contributorBrowsers = await Promise.all(['Lina', 'Tom', 'Ida'].map((name) => join(name)));
    const addAllPhotos = () => contributorBrowsers.flatMap((cousin) => [give(cousin), give(cousin)]);
    const [paused] = await Promise.all([browser.put(own, { isPaused: true }), ...addAllPhotos()]);
    expect(paused.status).toBe(200);
    const photoCount = await countRows(testShop.shop.db, 'uploads');
    for (const response of await Promise.all(addAllPhotos()))
      expect(toStatusAndCode(response)).toEqual([409, 'collect-paused']);
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(photoCount);
    expect((await fetchFrames(browser))[0]!.usedPhotos).toBe(photoCount);
  });
});
