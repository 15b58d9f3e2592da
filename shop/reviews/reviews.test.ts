import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import type { AdminReview } from '#contract/owner/reviews.ts';
import {
  describeOnFastestEngine,
  describeOnPostgres,
  type FreshDatabase,
  waitUntilStatementWaits,
} from '#test/database.ts';
import { deliverVideos } from '#test/delivered-order.ts';
import { quickImaging } from '#test/imaging.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { anna, buyFramesAsAnna, annasPassword, buyAndVerify, fetchFrames, uploadTo } from '#test/people.ts';
import { countRows, readAllTables, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { signInAsStaff } from '#test/staff.ts';
import { removeVideos } from '../production/production.ts';
import { requestReviews } from './request-reviews.ts';

const dayMs = 86_400_000;
const openShop = (fresh: FreshDatabase) => openTestShop(fresh, { imaging: quickImaging });
const signInAgain = (browser: Browser) =>
  browser.post('/api/auth/login', { email: anna.email, password: annasPassword });
const sampleReview = { stars: 5, words: 'The swing moves, and so do we.', name: 'Anna K.', film: null };
const readOrdersWithReviewRequest = async (it: TestShop) =>
  (await readQueuedMails(it.shop.db, 'review-request:')).map((mail) => mail.to);
async function requestReviewsAfterDays(it: TestShop, days: number) {
  it.clock.advance(days * dayMs);
  await requestReviews(it.shop);
  return readOrdersWithReviewRequest(it);
}

/** Uploads photos to a frame and creates their approved videos as rows and files, without rendering them. */
async function finishOrder(it: TestShop, browser: Browser, deviceId: string, photos = 1): Promise<string[]> {
  for (let i = 0; i < photos; i++) expect((await uploadTo(browser, deviceId)).status).toBe(200);
  await deliverVideos(it, browser, deviceId);
  const { rows } = await it.shop.db.execute<{ id: string }>(
    sql`select id from videos where frame_id = ${deviceId} order by place`,
  );
  return rows.map(({ id }) => id);
}
const shipOrders = (it: TestShop) =>
  it.shop.db.execute(sql`update orders set shipped_at = ${it.clock.now().toISOString()}`);
const readReviewTokens = async (it: TestShop) =>
  (await waitAndReadEmails(it, 'review-request:')).map(({ content }) =>
    new URL(content.reviewUrl).pathname.split('/').at(-1)!,
  );

/**
 * Anna's order that was delivered more than two weeks ago, with the review link from the mail, and the browsers of Anna
 * and the owner.
 */
async function requestReviewOfAnna(fresh: FreshDatabase, cart: { extraPackages?: number } = {}) {
  const testShop = await openShop(fresh);
  const { browser, frames } = await buyFramesAsAnna(testShop, cart);
  const videos = await finishOrder(testShop, browser, frames[0]!.deviceId, 2);
  await shipOrders(testShop);
  expect(await requestReviewsAfterDays(testShop, 30)).toEqual([anna.email]);
  const [token] = await readReviewTokens(testShop);
  const api = `/api/review/${token}`;
  const readersBrowser = testShop.browser();
  const owner = testShop.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  const listReviews = async (queryText = '') =>
    (await owner.get(`/api/admin/lists/reviews${queryText}`)).json.rows as AdminReview[];
  const writeReview = async (review: object = sampleReview, product = 'kinframe') =>
    readersBrowser.put(`${api}/${product}`, review);
  const approveReview = async () => {
    const [waiting] = await listReviews('?filter=waiting');
    return owner.post(`/api/admin/reviews/${waiting!.id}/approve`, { version: waiting!.version });
  };
  const readShownReviews = async (product = 'kinframe') =>
    (await testShop.browser().get(`/api/products/${product}/reviews`)).json;
  return {
    it: testShop,
    browser,
    api,
    reader: readersBrowser,
    owner,
    videos,
    deviceId: frames[0]!.deviceId,
    listed: listReviews,
    write: writeReview,
    approve: approveReview,
    shown: readShownReviews,
  };
}

describeOnFastestEngine((fresh) => {
  test('a review is public only after the owner approves it, and its writer can always delete it', async () => {
    const { it, api, reader, videos, listed, write, approve, shown, owner } = await requestReviewOfAnna(fresh);
    const reviewPage = (await reader.get(api)).json;
    expect(reviewPage).toMatchObject({ firstName: 'Anna', suggestedName: 'Anna K.' });
    expect(reviewPage.products).toEqual([{ id: 'kinframe', review: null }]);
    expect(reviewPage.films.map((film: { id: string }) => film.id)).toEqual(videos);
    expect((await reader.get(reviewPage.films[1].posterUrl)).text).toBe('a poster');
    expect((await it.browser().get(reviewPage.films[1].posterUrl)).status).toBe(404);

    const chosenVideo = { id: videos[1]!, take: 1 };
    expect((await write({ ...sampleReview, stars: 3, film: chosenVideo })).json.products[0].review).toMatchObject({
      state: 'waiting',
      stars: 3,
      filmId: videos[1],
    });
    expect(await shown()).toEqual({ count: 0, mean: null, reviews: [], next: null });
    const [{ id, version: readBefore }] = (await listed()) as [AdminReview];
    const openReviewLink = async () =>
      Promise.all(['mp4', 'jpg'].map(async (kind) => (await it.browser().get(`/reviews/${id}.${kind}`)).status));
    expect(await openReviewLink()).toEqual([404, 404]);

    await write({ ...sampleReview, words: '  The swing <b>moves</b>.\nAnd so do we.  ', film: chosenVideo });
    const refusedResponse = await owner.post(`/api/admin/reviews/${id}/approve`, { version: readBefore });
    expect([refusedResponse.status, refusedResponse.json.code]).toEqual([409, 'review-changed']);
    expect((await approve()).json).toMatchObject({ state: 'approved', stars: 5 });
    await owner.put(`/api/admin/reviews/${id}/answer`, { answer: 'Thank you, Anna.' });
    expect(await shown()).toEqual({
      count: 1,
      mean: 5,
      next: null,
      reviews: [
        {
          id,
          stars: 5,
          words: 'The swing <b>moves</b>.\nAnd so do we.',
          name: 'Anna K.',
          writtenAt: expect.stringMatching(/Z$/),
          answer: 'Thank you, Anna.',
          film: { videoUrl: `/reviews/${id}.mp4?take=1`, posterUrl: `/reviews/${id}.jpg?take=1` },
        },
      ],
    });
    expect(await openReviewLink()).toEqual([200, 200]);
    const videoResponse = await it.browser().get(`/reviews/${id}.mp4`);
    expect([videoResponse.text, videoResponse.headers['cache-control']]).toEqual(['a film', 'private, no-cache']);
    expect(await shown('byof')).toMatchObject({ count: 0, reviews: [] });

    const lateResponse = await write({ ...sampleReview, words: 'Something else.' });
    expect([lateResponse.status, lateResponse.json.code]).toEqual([409, 'review-decided']);
    for (let i = 0; i < 2; i++)
      expect((await reader.delete(`${api}/kinframe`)).json.products).toEqual([{ id: 'kinframe', review: null }]);
    expect(await shown()).toMatchObject({ count: 0, mean: null, reviews: [] });
    expect(await openReviewLink()).toEqual([404, 404]);
    expect(await countRows(it.shop.db, 'reviews')).toBe(0);
    expect(JSON.stringify((await readAllTables(it.shop.db))['audit_trail'])).not.toMatch(/swing|Thank you/);
    expect((await write()).status).toBe(200);
  });

  test('the account offers a review link after the review request is emailed, only to the order’s customer', async () => {
    const testShop = await openShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const readOrders = async (who = browser) => (await who.get('/api/order-summary')).json.orders;
    const [{ orderNumber, mayReview, hasReview }] = await readOrders();
    expect([mayReview, hasReview]).toEqual([false, false]);
    const reviewLinkPath = `/api/orders/${orderNumber}/review-link`;
    expect((await browser.post(reviewLinkPath)).json.code).toBe('review-link-invalid');
    await finishOrder(testShop, browser, frames[0]!.deviceId);
    await shipOrders(testShop);
    await requestReviewsAfterDays(testShop, 30);
    await browser.post('/api/auth/login', { email: anna.email, password: annasPassword });
    expect((await readOrders())[0]).toMatchObject({ mayReview: true, hasReview: false });
    expect((await browser.get(`/api/orders/${orderNumber}`)).json.mayReview).toBe(true);
    const { json } = await browser.post(reviewLinkPath);
    const readersBrowser = testShop.browser();
    expect((await readersBrowser.put(`/api${json.path}/kinframe`, sampleReview)).json.products[0].review).toMatchObject(
      {
        stars: 5,
      },
    );
    expect((await readOrders())[0]).toMatchObject({ mayReview: true, hasReview: true });
    expect((await browser.get(`/api/orders/${orderNumber}`)).json.hasReview).toBe(true);

    expect((await readersBrowser.post(reviewLinkPath)).status).toBe(401);
    const ben = { ...anna, firstName: 'Ben', email: 'ben@example.com' };
    const { browser: stranger } = await buyFramesAsAnna(testShop, { customerDetails: ben });
    expect((await stranger.post(reviewLinkPath)).status).toBe(404);
    // The order link shows only the order. A review needs the link from the review mail.
    const [receipt] = await waitAndReadEmails(testShop, 'receipt:');
    const session = new URL((receipt!.content as { orderUrl: string }).orderUrl).searchParams.get('session');
    expect((await testShop.browser().get(`/api/orders/${orderNumber}?session=${session}`)).json.mayReview).toBe(false);
  });

  test('requests a review once per order, two weeks after its last frame is delivered', async () => {
    const testShop = await openShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    await finishOrder(testShop, browser, frames[0]!.deviceId);
    await shipOrders(testShop);
    expect(await requestReviewsAfterDays(testShop, 20)).toEqual([]); // the other frame is not delivered
    await signInAgain(browser);
    await finishOrder(testShop, browser, frames[1]!.deviceId);
    expect(await requestReviewsAfterDays(testShop, 13.9)).toEqual([]);
    expect(await requestReviewsAfterDays(testShop, 0.2)).toEqual([anna.email]);
    for (const days of [0, 1, 60, 400]) expect(await requestReviewsAfterDays(testShop, days)).toHaveLength(1);
    const [message] = await waitAndReadEmails(testShop, 'review-request:');
    expect(message!.content).toMatchObject({ firstName: 'Anna', productName: 'Kinframe Digital Picture Frame' });
  });

  test('counts two weeks from the later of the package’s arrival and the videos on the frame, or from the ready videos for byof', async () => {
    const testShop = await openShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await finishOrder(testShop, browser, frames[0]!.deviceId);
    expect(await requestReviewsAfterDays(testShop, 20)).toEqual([]); // the package is not shipped
    await shipOrders(testShop);
    expect(await requestReviewsAfterDays(testShop, 14)).toEqual([]); // the package takes a week to arrive
    await testShop.shop.db.execute(
      sql`update frames set delivered_at = ${new Date(testShop.clock.now().getTime() - 14 * dayMs).toISOString()}`,
    );
    expect(await requestReviewsAfterDays(testShop, 0)).toEqual([anna.email]);

    const ben = testShop.browser();
    await buyAndVerify(ben, { productId: 'byof', customerDetails: { ...anna, email: 'ben@example.com' } });
    await ben.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
    await finishOrder(testShop, ben, (await fetchFrames(ben))[0]!.deviceId);
    expect(await requestReviewsAfterDays(testShop, 13)).toHaveLength(1);
    expect(await requestReviewsAfterDays(testShop, 1.1)).toEqual([anna.email, 'ben@example.com']);
  });

  test('requests no review after a full refund, an unsubscription, an erasure or an account deletion', async () => {
    const testShop = await openShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await finishOrder(testShop, browser, frames[0]!.deviceId);
    await shipOrders(testShop);
    testShop.clock.advance(30 * dayMs);
    for (const [change, undo] of [
      [sql`update orders set refunded_cents = total_cents`, sql`update orders set refunded_cents = 100`],
      [sql`update orders set reminders_ended_at = now()`, sql`update orders set reminders_ended_at = null`],
      [sql`update frames set erased_at = now()`, sql`update frames set erased_at = null`],
      [sql`update orders set email = ''`, sql`update orders set email = ${anna.email}`],
    ] as const) {
      await testShop.shop.db.execute(change);
      expect(await requestReviewsAfterDays(testShop, 0)).toEqual([]);
      await testShop.shop.db.execute(undo);
    }
    expect(await requestReviewsAfterDays(testShop, 0)).toEqual([anna.email]); // a partial refund does not matter
  });

  test('sends no review request for later orders after the buyer has unsubscribed', async () => {
    const { it, browser } = await requestReviewOfAnna(fresh);
    const [message] = await waitAndReadEmails(it, 'review-request:');
    const token = new URL(message!.content.unsubscribeUrl).searchParams.get('token')!;
    expect((await it.browser().post('/api/unsubscribe', { token })).status).toBe(200);
    await signInAgain(browser);
    await buyAndVerify(browser);
    await finishOrder(it, browser, (await fetchFrames(browser)).find((frame) => !frame.uploadFinalized)!.deviceId);
    await shipOrders(it);
    expect(await requestReviewsAfterDays(it, 30)).toEqual([anna.email]);
  });

  test('the review request for a gift goes to the buyer and names the recipient', async () => {
    const testShop = await openShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await testShop.shop.db.execute(sql`update orders set gift = '{"recipientName": "Grandma Rose"}'`);
    await finishOrder(testShop, browser, frames[0]!.deviceId);
    await shipOrders(testShop);
    expect(await requestReviewsAfterDays(testShop, 30)).toEqual([anna.email]);
    expect((await waitAndReadEmails(testShop, 'review-request:'))[0]!.content.recipientName).toBe('Grandma Rose');
  });

  test('refuses an invalid review with a message, and changes nothing', async () => {
    const { it, api, reader, videos, write } = await requestReviewOfAnna(fresh);
    const ben = it.browser();
    await buyAndVerify(ben, { customerDetails: { ...anna, email: 'ben@example.com' } });
    await ben.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
    const [bens] = await finishOrder(it, ben, (await fetchFrames(ben))[0]!.deviceId);
    await it.shop.db.execute(sql`update videos set state = 'rendered' where id = ${videos[0]!}`);
    const tablesBefore = await readAllTables(it.shop.db);
    const starsMessage = 'Please choose one to five stars';
    for (const [wrong, field, words] of [
      [{ stars: 0 }, 'stars', starsMessage],
      [{ stars: 6 }, 'stars', starsMessage],
      [{ stars: '5' }, 'stars', starsMessage],
      [{ stars: 4.5 }, 'stars', starsMessage],
      [{ stars: null }, 'stars', starsMessage],
      [{ words: '   ' }, 'words', 'Please write a few words of your own'],
      [{ words: 'x'.repeat(5000) }, 'words', `Please use at most ${limits.reviewCharacters} characters`],
      [{ name: '' }, 'name', 'Please enter the name to show'],
      [{ name: 'x'.repeat(61) }, 'name', 'Please use at most 60 characters'],
    ] as const) {
      const response = await write({ ...sampleReview, ...wrong });
      expect([response.status, response.json.fields[field]], JSON.stringify(wrong)).toEqual([400, words]);
    }
    for (const film of [
      { id: bens!, take: 1 }, // refused: a video of another customer
      { id: videos[0]!, take: 1 }, // refused: a video that is not approved
      { id: videos[1]!, take: 2 }, // refused: another take than the writer saw
      { id: 'none', take: 1 },
    ]) {
      const response = await write({ ...sampleReview, film });
      expect([response.status, response.json.code], JSON.stringify(film)).toEqual([409, 'review-film-gone']);
    }
    expect((await write(sampleReview, 'byof')).json.code).toBe('not-found'); // the order does not contain this product
    expect((await write(sampleReview, 'toaster')).json.message).toBe('We do not sell that product.');
    for (const wrongPath of [`${api}x`, '/api/review/none', `/api/review/${'x'.repeat(43)}`])
      for (const response of [
        await reader.get(wrongPath),
        await reader.put(`${wrongPath}/kinframe`, sampleReview),
        await reader.delete(`${wrongPath}/kinframe`),
      ])
        expect([response.status, response.json.code]).toEqual([404, 'review-link-invalid']);
    expect(await readAllTables(it.shop.db)).toEqual(tablesBefore);
    await it.shop.db.execute(sql`update tokens set expires_at = now() where purpose = 'review'`);
    expect((await write()).json.code).toBe('review-link-invalid');
    expect(await countRows(it.shop.db, 'reviews')).toBe(0);
  });

  test('the video of a review that waits or is hidden opens only for staff who decide on reviews', async () => {
    const { it, write, approve, listed, owner, videos } = await requestReviewOfAnna(fresh);
    await write({ ...sampleReview, film: { id: videos[0]!, take: 1 } });
    const [{ id, film } = { id: '', film: null }] = await listed();
    const { browser: content } = await signInAsStaff(it, 'content');
    const { browser: support } = await signInAsStaff(it, 'support');
    const strangersBrowser = it.browser();
    const fetchStatuses = async (url: string) =>
      Promise.all([content, owner, support, strangersBrowser].map(async (browser) => (await browser.get(url)).status));
    for (const url of [film!.videoUrl, film!.posterUrl])
      expect(await fetchStatuses(url), url).toEqual([200, 200, 404, 404]);
    await approve();
    expect(await fetchStatuses(film!.videoUrl)).toEqual([200, 200, 200, 200]);
    await owner.post(`/api/admin/reviews/${id}/hide`, { reason: 'Names another person' });
    expect(await fetchStatuses(film!.videoUrl)).toEqual([200, 200, 404, 404]);
  });

  test('a review shows its video only in the take the buyer agreed to, not after a redo or erasure', async () => {
    const { it, write, approve, shown, videos, deviceId } = await requestReviewOfAnna(fresh);
    await write({ ...sampleReview, film: { id: videos[0]!, take: 1 } });
    const { id } = (await approve()).json;
    const { db } = it.shop;
    const isVideoPublic = async () => {
      const { status } = await it.browser().get(`/reviews/${id}.mp4`);
      const { film } = (await shown()).reviews[0];
      expect(status).toBe(film === null ? 404 : 200);
      return status === 200;
    };
    expect(await isVideoPublic()).toBe(true);
    await db.execute(sql`update videos set state = 'rendered', take = 2 where id = ${videos[0]!}`);
    expect(await isVideoPublic()).toBe(false);
    await db.execute(sql`update videos set state = 'approved' where id = ${videos[0]!}`);
    expect(await isVideoPublic()).toBe(false); // the take differs from the take of the consent
    await db.execute(sql`update videos set take = 1 where id = ${videos[0]!}`);
    expect(await isVideoPublic()).toBe(true);
    await removeVideos(db, deviceId);
    expect(await isVideoPublic()).toBe(false);
    expect(await shown()).toMatchObject({ count: 1, reviews: [{ words: sampleReview.words, film: null }] });
    for (const name of [`${id}.txt`, `${id}`, '..%2Fsecrets.json', `${id}.mp4.jpg`])
      expect((await it.browser().get(`/reviews/${name}`)).status, name).toBe(404);
  });

  test('a refund that withdraws the videos also ends the public video of a review', async () => {
    const { it, api, reader, owner, write, approve, shown, videos } = await requestReviewOfAnna(fresh);
    const chosenVideo = { id: videos[0]!, take: 1 };
    await write({ ...sampleReview, film: chosenVideo });
    const { id } = (await approve()).json;
    const isVideoPublic = async () => (await it.browser().get(`/reviews/${id}.mp4`)).status === 200;
    expect(await isVideoPublic()).toBe(true);
    const [order] = (await it.shop.db.execute<{ id: string }>(sql`select id from orders`)).rows;
    const refundResponse = await owner.post(`/api/admin/orders/${order!.id}/refunds`, {
      reason: 'Sorry',
      withdrawPhotos: true,
    });
    expect(refundResponse.status, refundResponse.text).toBe(200);
    expect(await isVideoPublic()).toBe(false);
    expect((await shown()).reviews).toMatchObject([{ words: sampleReview.words, film: null }]);
    const reviewPage = (await reader.get(api)).json;
    expect([reviewPage.films, reviewPage.products[0].review.filmId]).toEqual([[], null]);
    await reader.delete(`${api}/kinframe`);
    expect((await write({ ...sampleReview, film: chosenVideo })).json.code).toBe('review-film-gone');
    await it.shop.db.execute(sql`update refunds set state = 'failed'`);
    expect((await write({ ...sampleReview, film: chosenVideo })).status).toBe(200);
  });

  test('packages and frames have separate reviews; a hidden review and its reason are not public', async () => {
    const { it, api, reader, owner, listed, write, approve, shown } = await requestReviewOfAnna(fresh, {
      extraPackages: 1,
    });
    expect((await reader.get(api)).json.products.map((product: { id: string }) => product.id)).toEqual([
      'kinframe',
      'photo2video-10',
    ]);
    await write();
    it.clock.advance(1000);
    await write({ ...sampleReview, stars: 2, words: 'Ten more were too few.' }, 'photo2video-10');
    const readDaySheetLine = async () =>
      (await owner.get('/api/admin/day-sheet')).json.lines.find((one: { kind: string }) => one.kind === 'reviews');
    expect(await readDaySheetLine()).toMatchObject({ count: 2 });
    await approve();
    expect((await listed()).map(({ state, productId }) => [state, productId])).toEqual([
      ['waiting', 'photo2video-10'],
      ['approved', 'kinframe'],
    ]);
    expect((await listed('?q=too+few')).map((it) => it.productId)).toEqual(['photo2video-10']);
    const [{ id, orderNumber }] = (await listed('?filter=waiting')) as [AdminReview];
    expect(await listed(`?q=${orderNumber}`)).toHaveLength(2);
    const withoutReasonResponse = await owner.post(`/api/admin/reviews/${id}/hide`, { reason: ' ' });
    expect([withoutReasonResponse.status, withoutReasonResponse.json.fields.reason]).toEqual([
      400,
      'Please add a note on why it is not shown',
    ]);
    expect((await owner.post(`/api/admin/reviews/${id}/hide`, { reason: 'It names a neighbor' })).json).toMatchObject({
      state: 'hidden',
      reason: 'It names a neighbor',
    });
    expect(await readDaySheetLine()).toBeUndefined();
    expect([(await shown()).count, (await shown('photo2video-10')).count]).toEqual([1, 0]);
    const hiddenReview = (await reader.get(api)).json.products[1].review;
    expect(hiddenReview.state).toBe('hidden');
    expect(JSON.stringify(hiddenReview)).not.toContain('neighbor');
    for (const decision of ['approve', 'hide'] as const)
      expect((await owner.post(`/api/admin/reviews/none/${decision}`, { version: 1, reason: 'No' })).json.code).toBe(
        'not-found',
      );
    expect((await reader.get('/api/admin/lists/reviews')).json.code).toBe('admin-needed');
  });

  test('lists all reviews of a product in pages, newest first, with their mean rating', async () => {
    const testShop = await openShop(fresh);
    const buyer = testShop.browser();
    for (let i = 0; i < 8; i++) await buyAndVerify(buyer);
    await testShop.shop.db.execute(sql`
      insert into reviews (id, order_id, order_number, product_id, state, stars, words, name, written_at)
      select 'r' || n, id, order_number, 'kinframe', 'approved', 3 + n % 3, 'Words', 'Anna', now() - n * interval '1 hour'
      from (select *, row_number() over () as n from orders) numbered`);
    const readReviewPage = async (after = '') => (await buyer.get(`/api/products/kinframe/reviews${after}`)).json;
    const firstPage = await readReviewPage();
    expect(firstPage).toMatchObject({ count: 8, mean: 4.1 });
    const secondPage = await readReviewPage(`?after=${firstPage.next}`);
    const ids = [...firstPage.reviews, ...secondPage.reviews].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(['r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8']);
    expect([firstPage.reviews.length, secondPage.next]).toEqual([limits.reviewsOfPage, null]);
    expect((await readReviewPage('?after=anything')).code).toBe('page-unknown');
  });

  test('deleting an account deletes its reviews; before that, the data download contains them', async () => {
    const { it, browser, write, approve, shown } = await requestReviewOfAnna(fresh);
    await write();
    await approve();
    await signInAgain(browser);
    expect((await browser.get('/api/account/my-data.zip')).bytes.toString('latin1')).toContain(sampleReview.words);
    expect((await browser.post('/api/account/delete')).status).toBe(200);
    expect(await countRows(it.shop.db, 'reviews')).toBe(0);
    expect(await shown()).toMatchObject({ count: 0, reviews: [] });
  });
});

describeOnPostgres((fresh) => {
  test('simultaneous jobs queue one review request, and simultaneous submissions store one review', async () => {
    const { it, write } = await requestReviewOfAnna(fresh);
    await it.shop.db.execute(sql`delete from mails where event like 'review-request:%'`);
    await Promise.all(Array.from({ length: 4 }, () => requestReviews(it.shop)));
    expect(await readOrdersWithReviewRequest(it)).toEqual([anna.email]);
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, at) => write({ ...sampleReview, words: `Words ${at}` })),
    );
    expect(responses.map((answer) => answer.status)).toEqual(responses.map(() => 200));
    expect(await countRows(it.shop.db, 'reviews')).toBe(1);
  });

  test('leaves no review if it is written while the account is being deleted', async () => {
    const { it, browser, write } = await requestReviewOfAnna(fresh);
    await signInAgain(browser);
    const [deleted] = await Promise.all([
      browser.post('/api/account/delete'),
      ...Array.from({ length: 6 }, (_, at) => write({ ...sampleReview, words: `Words ${at}` })),
    ]);
    expect(deleted.status).toBe(200);
    expect(await countRows(it.shop.db, 'reviews')).toBe(0);
  });

  test('deleting an account waits, without deadlock, for a review that is being written', async () => {
    const { it, browser, write } = await requestReviewOfAnna(fresh);
    await write();
    await signInAgain(browser);
    const deletion = await it.shop.db.transaction(async (tx) => {
      await tx.execute(sql`select from tokens where purpose = 'review' for share`); // the lock that writing a review takes
      const deletedResponsePromise = browser.post('/api/account/delete');
      await waitUntilStatementWaits(it.shop.db, 'update "tokens"');
      await tx.execute(sql`update reviews set words = 'Written anew'`);
      return { deleted: deletedResponsePromise };
    });
    expect((await deletion.deleted).status).toBe(200);
    expect(await countRows(it.shop.db, 'reviews')).toBe(0);
  });

  test('publishes no text that the owner has not read when a review changes during its approval', async () => {
    const { it, api, reader, owner, listed, write, shown } = await requestReviewOfAnna(fresh);
    for (let round = 0; round < 8; round++) {
      await write({ ...sampleReview, words: 'As it was read.' });
      const [{ id, version }] = (await listed()) as [AdminReview];
      const [approved] = await Promise.all([
        owner.post(`/api/admin/reviews/${id}/approve`, { version }),
        round % 2 ? write({ ...sampleReview, words: 'Something unread.' }) : reader.delete(`${api}/kinframe`),
      ]);
      expect([200, 404, 409]).toContain(approved.status);
      const { reviews } = await shown();
      expect(reviews.map((it: { words: string }) => it.words)).toEqual(
        round % 2 && approved.status === 200 ? ['As it was read.'] : [],
      );
      await reader.delete(`${api}/kinframe`);
      expect(await countRows(it.shop.db, 'reviews')).toBe(0);
    }
  });
});
