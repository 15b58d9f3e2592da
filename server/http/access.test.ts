import { addPushDevice } from '#shop/owner-push/owner-push.ts';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { toShopDay } from '#contract/calendar.ts';
import { readFees } from '#shop/payments/fees.ts';
import { findOrderOfPaymentId } from '#shop/orders/orders.ts';
import { findPaymentOfIntent } from '#shop/payments/payments.ts';
import type { TokenPurpose } from '#shop/tokens/tokens.sql.ts';
import { newId } from '#shop/columns.ts';
import { returns } from '#shop/returns/returns.sql.ts';
import { issueToken } from '#shop/tokens/tokens.ts';
import { startFakeEasyPost } from '#test/fake-easypost.ts';
import { createFakeAuthenticator } from '#test/authenticator.ts';
import { validBodies } from '#test/bodies.ts';
import { apiOperationList, type ApiOperation } from '#test/calls.ts';
import { createFileForm, createOwnersVideoForm, createOwnersVideoFile } from '#test/owners-video.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { createAnnaWithAllData } from '#test/all-data.ts';
import { pay, startPayment } from '#test/paying.ts';
import {
  anna,
  buyFramesAsAnna,
  buyAndVerify,
  fetchFrames,
  createPhotoForm,
  createPhotosForm,
  createSmallPhoto,
} from '#test/people.ts';
import { generateTotpCode } from '#test/one-time-code.ts';
import { countRows, readAllTables } from '#test/rows.ts';
import { createApprovalForm } from '#test/returns.ts';
import { listMountedRoutes } from '#test/mounted-routes.ts';
import { adminPassword, openTestShop, type ShopResponse, type Browser, type TestShop } from '#test/shop.ts';
import { proxyHeaderNames } from './common/guards.ts';

/**
 * Calls that this test does not send: they start or end a session, delete an account or all photos, or respond slowly
 * after wrong passwords.
 */
const isSigningIn = ({ path }: ApiOperation) =>
  /\/(login|register|logout|complete-registration|auth\/(staff\/)?password|account\/(prove|password|erase|delete))$/.test(
    path,
  );

/** The calls that each kind of link token authorizes. Every other call must refuse the token. */
const pathsByTokenPurpose: Record<TokenPurpose, string[]> = {
  'order-access': ['GET /api/order-summary', 'GET /api/orders/:orderNumber', 'GET /api/user', 'GET /api/uploads'],
  'finish-registration': ['GET /api/registration/context', 'POST /api/complete-registration'],
  delivery: apiOperationList.map(({ route }) => route).filter((route) => route.includes('/api/delivery/:token')),
  share: ['GET /api/delivery/:token'],
  play: ['GET /api/play/:token'],
  proof: apiOperationList.map(({ route }) => route).filter((route) => route.includes('/api/proof/:token')),
  review: apiOperationList.map(({ route }) => route).filter((route) => route.includes('/api/review/:token')),
  'password-reset': ['POST /api/auth/reset-password'],
  'email-confirmation': ['GET /api/auth/mailed-link', 'POST /api/auth/confirm-email'],
  'upload-link': [
    'GET /api/upload-token/validate/:token',
    ...apiOperationList.filter(({ who }) => who === 'link').map(({ route }) => route),
  ],
  collect: ['GET /api/collect/:token', 'POST /api/collect/:token/contributors'],
  contributor: [],
  'trial-view': ['GET /api/trial/film/:token'],
  'sign-in': ['GET /api/auth/mailed-link', 'POST /api/auth/link/login'],
  'email-change': ['GET /api/auth/mailed-link', 'POST /api/auth/change-email'],
  'new-passkey': [],
  passkey: [],
  unsubscribe: ['POST /api/unsubscribe'],
  cart: ['POST /api/cart-link'],
  'payment-link': ['POST /api/cart-link'],
  'cart-unsubscribe': ['POST /api/unsubscribe'],
  'gift-card': ['POST /api/gift-cards/bought', 'POST /api/gift-cards/print', 'POST /api/gift-cards/payment-intent'],
  'admin-code': [],
  'new-owner-passkey': [],
  'owner-passkey': [],
  'owner-sign-in': [],
  'end-sign-in': ['POST /api/auth/end-sign-in'],
  'ticket-reply': [],
  'staff-invitation': apiOperationList.map(({ route }) => route).filter((route) => route.includes('staff-invitation')),
  'staff-code': [],
  'new-staff-passkey': [],
};

/** Routes outside the contract, grouped by who may use them. */
const outsideTheContract = {
  private: [
    '/api/account/my-data.zip',
    '/uploads/:fileName',
    '/trials/:fileName',
    '/videos/:fileName',
    '/videos/all/:frameId',
    '/play/:token',
    '/reviews/:fileName',
    '/returns/:fileName',
    '/labels/:fileName',
    '/labels/:fileName/customs',
    '/ticket-files/:fileName',
  ],
  ownersAlone: [
    '/api/admin/live',
    '/api/admin/lists/orders.csv',
    '/api/admin/lists/orders.xlsx',
    '/api/admin/lists/customers.csv',
    '/api/admin/lists/customers.xlsx',
    '/api/admin/lists/users.csv',
    '/api/admin/lists/users.xlsx',
    '/api/admin/lists/support-tickets.csv',
    '/api/admin/lists/support-tickets.xlsx',
    '/api/admin/shipping-addresses.csv',
    '/api/analytics/days.csv',
    '/api/analytics/days.xlsx',
    '/api/analytics/sales-tax.csv',
    '/api/analytics/sales-tax.xlsx',
    '/api/analytics/month-file.csv',
    '/api/analytics/month-file.xlsx',
    '/api/admin/orders/:id/download',
    '/api/admin/uploads/:id/original',
    '/metrics',
    '/sandbox/mails/:id',
    '/sandbox/letters/:id',
  ],
  everyones: [
    '/api/admin/auth/replit/callback',
    '/api/openapi.json',
    '/api/csp-reports',
    '/robots.txt',
    '/sitemap.xml',
    '/.well-known/security.txt',
    '/health/live',
    '/health/ready',
    '/content/:fileName',
    '/guides/connect-your-frame.pdf',
  ],
  /** Calls are signed, or contain the client secret of an intent or a token from an email. */
  providers: [
    '/unsubscribe',
    '/api/webhooks/stripe',
    '/api/webhooks/animator',
    '/api/webhooks/easypost',
    '/api/webhooks/mail',
    '/sandbox/stripe/authenticate/:intent',
  ],
};

const benOde = {
  ...anna,
  firstName: 'Ben',
  lastName: 'Ode',
  email: 'ben@example.com',
  address: { ...anna.address, line1: '1 Mill Lane' },
};
const adminKey = 'a-key-of-at-least-thirty-two-characters';

describeOnFastestEngine((fresh) => {
  test('no call with Anna’s ids and links gives her data to anyone else', { timeout: 900_000 }, async () => {
    const testShop = await openTestShop(fresh, { env: { ADMIN_KEY: adminKey } });
    const { browser, admin, ids, tokens, files } = await createAnnaWithAllData(testShop);
    const ben = testShop.browser();
    await buyAndVerify(ben, { customerDetails: benOde, extraPackages: 1 }); // he could try to move these into her order
    await ben.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
    const [bensFrame] = await fetchFrames(ben);
    const bensLink = { purpose: 'delivery', subjectId: bensFrame!.deviceId, seconds: 3600 } as const;
    const bensDelivery = await issueToken(testShop.shop.db, testShop.clock, bensLink);
    const intruders: Intruder[] = [
      { who: 'a visitor without a session', browser: testShop.browser(), headers: { 'x-user-id': ids['customer']! } },
      { who: 'a guess', browser: withCookies(testShop, { sid: ids['customer']!, 'admin-sid': ids['customer']! }) },
      {
        who: 'the wrong kind of session',
        browser: withCookies(testShop, {
          sid: admin.cookies.get('admin-sid')!,
          'admin-sid': browser.cookies.get('sid')!,
          checkout: browser.cookies.get('sid')!,
        }),
      },
      { who: 'Ben', browser: ben, is: 'customer', own: bensFrame!.deviceId },
      {
        who: 'Ben’s delivery link under the name of hers',
        browser: withCookies(testShop, { [`delivery-${ids['finishedFrame']!}`]: bensDelivery }),
      },
      {
        who: 'Ben’s helpers',
        browser: withCookies(testShop, await createHelperHeaders(testShop, ben, bensFrame!.deviceId)),
      },
      {
        who: 'a customer’s call with the admin’s key',
        browser: testShop.browser(),
        headers: { 'x-admin-key': adminKey },
        is: 'admin',
      },
    ];
    const secrets = [
      ...Object.values(ids),
      ...Object.values(tokens),
      anna.email,
      'Keller',
      'Linden',
      'grandmother-on-a-swing',
    ];
    const annasData =
      (await browser.get('/api/frame-photo-limits')).text + (await browser.get('/api/order-summary')).text;
    for (const secret of ['Keller', 'Linden', 'grandmother-on-a-swing', anna.email])
      expect(annasData).toContain(secret);

    // The shop also sends emails to other people during this test, so compare only Anna's emails.
    const readRows = async () => {
      const { mails, audit_trail: trail, ...rows } = await readAllTables(testShop.shop.db);
      return {
        ...rows,
        mails: mails!.filter((mail) => (mail as { to: string }).to === anna.email),
        // Each wrong admin key adds an entry, so ignore these entries.
        audit_trail: trail!.filter((each) => (each as { act: string }).act !== 'admin-sign-in-failed'),
      };
    };
    // A job of the shop reads payment fees at any time. Read them now, so that they do not change rows during the test.
    await readFees(testShop.shop, {
      signal: new AbortController().signal,
      onError: (error) => {
        throw error;
      },
    });
    const rowsBefore: Record<string, unknown[]> = await readRows();
    for (const intruder of intruders) {
      const sentRequests = new Set<string>();
      const expectNoDataOf = async (call: ApiOperation, id: string, idInPath = id) => {
        const requestKey = JSON.stringify([call.method, createRequestWithId(call, id, idInPath)]);
        if (sentRequests.has(requestKey)) return; // the call ignores this id: the same request was already sent
        sentRequests.add(requestKey);
        await expectNoDataFor(intruder, call, id, secrets, idInPath);
      };
      for (const call of apiOperationList) {
        if (isSigningIn(call) || (intruder.is === 'admin' && isOwnerCall(call))) continue;
        // Try to reach Anna's data with the stranger's own frame in the path and Anna's ids in the body.
        if (intruder.own && hasIdFields(call))
          for (const id of Object.values(ids)) await expectNoDataOf(call, id, intruder.own);
        for (const id of Object.values(ids)) await expectNoDataOf(call, id);
        for (const [purpose, token] of Object.entries(tokens))
          if (!pathsByTokenPurpose[purpose as TokenPurpose].includes(call.route)) await expectNoDataOf(call, token);
      }
      if (intruder.is !== 'admin')
        for (const file of files) {
          const response = await intruder.browser.get(file, intruder.headers);
          expect([response.status, response.json.code], `${intruder.who} asks for ${file}`).toEqual([404, 'not-found']);
        }
    }
    // Strangers may have added rows of their own, but must not have changed any earlier row.
    const rowsAfter: Record<string, unknown[]> = await readRows();
    for (const [table, rows] of Object.entries(rowsBefore))
      expect(rowsAfter[table], table).toEqual(expect.arrayContaining(rows));
    for (const table of [
      'orders',
      'frames',
      'uploads',
      'arrivals',
      'arrival_pieces',
      'collect_links',
      'videos',
      'customers',
      'refunds',
      'order_events',
      'audit_trail',
    ])
      expect(rowsAfter[table], table).toHaveLength(rowsBefore[table]!.length);

    testShop.clock.advance(31 * 86_400_000);
    for (const call of apiOperationList.filter((each) => each.who === 'customer' || isOwnerCall(each))) {
      const response = await sendRequest(call.who === 'customer' ? browser : admin, call, 'none');
      expect(response.status, `${call.route} with an old session`).toBe(401);
    }
    for (const file of files) expect((await browser.get(file)).status, `${file} with an old session`).toBe(404);
  });

  test('refuses every call of the owner from an IP address that is not allowed', async () => {
    const testShop = await openTestShop(fresh, { env: { ADMIN_KEY: adminKey, ADMIN_ALLOWED_IPS: '192.0.2.0/24' } });
    const otherBrowser = testShop.browser({ address: '198.51.100.1' });
    for (const call of apiOperationList.filter((each) => isOwnerCall(each) || each.path.startsWith('/api/admin/'))) {
      if (call.route === 'GET /api/admin/session') continue; // this call answers 200: no one is signed in
      const response = await sendRequest(otherBrowser, call, 'none', { 'x-admin-key': adminKey });
      expect([response.status, response.json.code], call.route).toEqual([403, 'address-not-allowed']);
    }
    expect((await otherBrowser.get('/api/admin/session', { 'x-admin-key': adminKey })).json).toEqual({
      isAuthenticated: false,
    });
    expect((await otherBrowser.get('/metrics', { 'x-admin-key': adminKey })).status).toBe(404);
    expect(await countRows(testShop.shop.db, 'sessions')).toBe(0);
  });

  test('refuses every data-changing call from a page of another site, as JSON or as a form', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    await browser.post('/api/admin/auth/password', { password: adminPassword });
    const tablesBefore = await readAllTables(testShop.shop.db);
    for (const call of apiOperationList.filter((each) => !['GET', 'HEAD'].includes(each.method)))
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        { origin: 'null', 'content-type': 'application/x-www-form-urlencoded' },
        { origin: 'https://evil.example', 'content-type': 'text/plain' },
      ]) {
        const response = await sendRequest(browser, call, 'none', headers);
        expect([response.status, response.json.code], call.route).toEqual([403, 'foreign-origin']);
      }
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
  });

  test('forbids shared caches to store API responses, private files, and refusals of private files', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, admin, files, ids, tokens } = await createAnnaWithAllData(testShop);
    const openedResponse = await testShop.browser().get(`/api/delivery/${tokens.delivery}`);
    expect(isCacheable(openedResponse)).toBe(false);
    expect(String(openedResponse.headers['set-cookie'])).toMatch(
      /^delivery-[\w-]+=[\w-]{43}; Max-Age=\d+; Path=\/videos\/; HttpOnly; SameSite=Lax$/,
    );
    for (const call of apiOperationList.filter((each) => each.path.startsWith('/api/')))
      for (const client of [browser, admin, testShop.browser()])
        if (!isSigningIn(call))
          expect(isCacheable(await sendRequest(client, call, ids['order']!)), call.route).toBe(false);
    for (const file of files) {
      // Anna's own browser may store the file, but must revalidate it at each use.
      expect(String((await browser.get(file)).headers['cache-control']), file).toMatch(
        /^(private, no-(cache|store)|no-store)$/,
      );
      expect(isCacheable(await testShop.browser().get(file)), file).toBe(false);
    }
    for (const path of ['/metrics', '/health/ready', '/uploads/none.jpg', '/videos/none.mp4', '/videos/all/none'])
      expect(isCacheable(await browser.get(path)), path).toBe(false);
  });

  test('records every change by the owner in the audit trail, and makes no change that is not recorded', async () => {
    const labelService = await startFakeEasyPost();
    onTestFinished(() => labelService.close());
    const testShop = await openTestShop(fresh, {
      env: {
        EASYPOST_API_KEY: labelService.apiKey,
        EASYPOST_API_BASE: labelService.apiBase,
        SHIP_FROM_NAME: 'Kinframe',
        SHIP_FROM_STREET: '1 Main St',
        SHIP_FROM_CITY: 'Portland',
        SHIP_FROM_STATE: 'ME',
        SHIP_FROM_ZIP: '04101',
      },
    });
    const { admin, ids, videoIs } = await createAnnaWithAllData(testShop);
    let quoted = { label: { id: '' }, rates: [{ id: '' }] };
    let secret = '';
    let options = { challenge: '' };
    const device = createFakeAuthenticator();
    const password = adminPassword;
    const phone = await addPushDevice(
      testShop.shop,
      { endpoint: 'https://push.example/phone', p256dh: 'none', auth: 'none', device: 'Phone' },
      { requestId: 'none' },
    );
    const createNextCode = () => {
      testShop.clock.advance(30_000); // each code works once
      return generateTotpCode(secret, testShop.clock.now());
    };
    interface OwnerAct {
      id: string;
      act: string;
      body?: object | (() => object);
      after?: (answer: ShopResponse) => unknown;
    }
    const changesByRoute: Record<string, OwnerAct> = {
      'PUT /api/admin/orders/:id': { id: ids['order']!, act: 'edit-order', body: { notes: 'A good customer' } },
      'PUT /api/admin/orders/:id/shipping-address': { id: ids['order']!, act: 'change-shipping-address' },
      'POST /api/admin/orders/:id/label-rates': {
        id: ids['order']!,
        act: 'quote-label',
        after: ({ json }) => (quoted = json),
      },
      'POST /api/admin/labels/:id/buy': {
        get id() {
          return quoted.label.id; // the label is known after the prices were read
        },
        act: 'buy-label',
        body: () => ({ rateId: quoted.rates[0]!.id }),
      },
      'POST /api/admin/labels/:id/void': {
        get id() {
          return quoted.label.id;
        },
        act: 'void-label',
      },
      'POST /api/admin/phone-orders': { id: '', act: 'create-phone-order' },
      'POST /api/admin/phone-orders/:id/send': { id: ids['phoneOrder']!, act: 'send-phone-order' },
      'POST /api/admin/phone-orders/:id/link': { id: ids['phoneOrder']!, act: 'copy-phone-order-link' },
      'POST /api/admin/phone-orders/:id/cancel': { id: ids['phoneOrder']!, act: 'cancel-phone-order' },
      'POST /api/admin/orders/:id/shipment': { id: ids['order']!, act: 'ship-order' },
      'POST /api/admin/orders/:id/refunds': { id: ids['order']!, act: 'refund-order' },
      'POST /api/admin/orders/:id/cancellation': { id: await buyOrderAsGuest(testShop), act: 'cancel-order' },
      'POST /api/admin/payment-problems/:id/close': {
        id: await createMismatchedPayment(testShop),
        act: 'close-payment-problem',
      },
      'POST /api/admin/mails/:id/resend': { id: ids['mail']!, act: 'resend-mail' },
      'POST /api/admin/customers/:id/generate-upload-link': { id: ids['customer']!, act: 'make-upload-link' },
      'DELETE /api/admin/customers/:id/upload-links': { id: ids['customer']!, act: 'end-upload-links' },
      'POST /api/admin/upload': {
        id: '',
        act: 'add-photo',
        body: createPhotosForm(ids['order']!, [['kite.jpg', await createSmallPhoto()]]),
      },
      'PUT /api/admin/uploads/:id': { id: ids['photo']!, act: 'note-photo' },
      'DELETE /api/admin/uploads/:id': { id: ids['photo']!, act: 'delete-photo' },
      'PUT /api/admin/users/:id': { id: ids['customer']!, act: 'edit-user' },
      'PUT /api/admin/day-sheet': { id: '', act: 'wish-day-sheet' },
      'PUT /api/admin/cart-reminders': { id: '', act: 'set-cart-reminders' },
      'PATCH /api/support-tickets/:id': { id: ids['ticket']!, act: 'edit-ticket' },
      'POST /api/admin/support-tickets/:id/answers': { id: ids['ticket']!, act: 'answer-ticket' },
      'POST /api/admin/orders/:id/messages': { id: ids['order']!, act: 'write-to-customer' },
      'POST /api/admin/customers/:id/messages': { id: ids['customer']!, act: 'write-to-customer' },
      'POST /api/admin/answer-files': { id: '', act: 'add-answer-file', body: await answerFileForm() },
      'PUT /api/admin/saved-replies/:id': { id: '5b1c2a4e-0f3d-4c6b-9a87-1d2e3f405162', act: 'save-reply' },
      'DELETE /api/admin/saved-replies/:id': { id: '5b1c2a4e-0f3d-4c6b-9a87-1d2e3f405162', act: 'delete-reply' },
      'POST /api/admin/returns/:id/approve': { id: ids['return']!, act: 'approve-return', body: createApprovalForm() },
      'POST /api/admin/returns/:id/decline': {
        id: await createAnotherReturn(testShop, ids['order']!),
        act: 'decline-return',
      },
      'POST /api/admin/returns/:id/receive': { id: ids['return']!, act: 'receive-return' },
      'POST /api/admin/returns/:id/close': { id: ids['return']!, act: 'close-return' },
      'POST /api/admin/reviews/:id/approve': { id: ids['review']!, act: 'approve-review' },
      'POST /api/admin/reviews/:id/hide': { id: ids['review']!, act: 'hide-review' },
      'PUT /api/admin/reviews/:id/answer': { id: ids['review']!, act: 'answer-review' },
      'PUT /api/admin/devices/:id/cloud': { id: ids['finishedFrame']!, act: 'note-cloud' },
      'POST /api/admin/devices/:id/player': { id: ids['finishedFrame']!, act: 'open-player' },
      'DELETE /api/admin/devices/:id/player': { id: ids['finishedFrame']!, act: 'end-player' },
      'POST /api/admin/videos/:id/redo': { id: ids['video']!, act: 'redo-video', after: () => videoIs('rendered') },
      'POST /api/admin/videos/:id/keep-live': { id: ids['video']!, act: 'keep-video' },
      'POST /api/admin/videos/:id/approve': { id: ids['video']!, act: 'approve-video', body: {} },
      'PUT /api/admin/videos/:id/film': {
        id: ids['video']!,
        act: 'put-film',
        body: createOwnersVideoForm(await createOwnersVideoFile()),
      },
      ...Object.fromEntries(
        ['hero', 'features', 'steps', 'site', 'shipping', 'settings', 'frame', 'promos', 'faqs'].map((section) => [
          `PUT /api/admin/content/${section}.json`,
          { id: section, act: 'edit-content' },
        ]),
      ),
      'POST /api/admin/staff': { id: '', act: 'invite-staff' },
      'PUT /api/admin/staff/:id': { id: await createAnotherMember(admin, 'kim@example.com'), act: 'edit-staff' },
      'POST /api/admin/staff/:id/invitation': {
        id: await createAnotherMember(admin, 'lee@example.com'),
        act: 'invite-staff-again',
      },
      'DELETE /api/admin/staff/:id': { id: await createAnotherMember(admin, 'max@example.com'), act: 'remove-staff' },
      'POST /api/admin/gift-cards/:id/resend': { id: ids['giftCard']!, act: 'resend-gift-card' },
      'POST /api/admin/gift-cards/:id/void': { id: ids['giftCard']!, act: 'void-gift-card' },
      'PUT /api/admin/stock': { id: 'kinframe', act: 'set-stock' },
      'PUT /api/admin/gallery': { id: 'gallery', act: 'edit-content' },
      'POST /api/admin/gallery/upload': { id: '', act: 'upload-media', body: createFileForm(await createSmallPhoto()) },
      'POST /api/admin/content/upload': { id: '', act: 'upload-media', body: createFileForm(await createSmallPhoto()) },
      'PUT /api/admin/about-content/:section': { id: 'hero', act: 'edit-content' },
      'DELETE /api/admin/sessions/:id': { id: await createAnotherOwnersSession(testShop), act: 'end-admin-session' },
      'POST /api/admin/sessions/end-others': { id: '', act: 'end-other-admin-sessions' },
      'POST /api/admin/passkeys/options': {
        id: '',
        act: 'begin-passkey',
        after: ({ json }) => (options = json),
      },
      'POST /api/admin/passkeys': {
        id: '',
        act: 'add-passkey',
        body: () => ({ name: 'Desk', answer: device.make(options) }),
      },
      'POST /api/admin/push/devices': {
        id: '',
        act: 'add-push-device',
      },
      'POST /api/admin/push/devices/:id/test': { id: phone.id, act: 'test-push-device' },
      'DELETE /api/admin/push/devices/:id': { id: phone.id, act: 'remove-push-device' },
      'PUT /api/admin/passkeys/:id': { id: device.id, act: 'name-passkey' },
      'DELETE /api/admin/passkeys/:id': { id: device.id, act: 'remove-passkey' },
      'POST /api/admin/step-up': { id: '', act: 'admin-proved', body: { password } },
      'POST /api/admin/second-factor': {
        id: '',
        act: 'begin-second-factor',
        body: { password },
        after: ({ json }) => (secret = json.secret),
      },
      'POST /api/admin/second-factor/confirm': {
        id: '',
        act: 'second-factor-on',
        body: () => ({ code: createNextCode() }),
      },
      'POST /api/admin/second-factor/recovery-codes': {
        id: '',
        act: 'new-recovery-codes',
        body: () => ({ password, code: createNextCode() }),
      },
      'POST /api/admin/second-factor/off': {
        id: '',
        act: 'second-factor-off',
        body: () => ({ password, code: createNextCode() }),
      },
    };
    const changingRoutes = apiOperationList
      .filter(({ who, method }) => who === 'admin' && method !== 'GET')
      .map(({ route }) => route);
    expect(Object.keys(changesByRoute).toSorted()).toEqual(changingRoutes.toSorted());
    await testShop.shop.db.execute(sql`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'nothing can be written down'; end $$`);
    await testShop.shop.db.execute(sql`create trigger refuse before insert on audit_trail execute function refuse()`);
    /** All rows, without the last used code: a code is used up even if the change fails. */
    const readRows = async () =>
      JSON.stringify(await readAllTables(testShop.shop.db), null, 1).replace(/"last_step": \d+/, '');
    const setAuditTriggerState = (how: 'enable' | 'disable') =>
      testShop.shop.db.execute(sql.raw(`alter table audit_trail ${how} trigger refuse`));
    for (const [route, { id, act, body, after }] of Object.entries(changesByRoute)) {
      const [method, path] = route.split(' ') as [string, string];
      const callRoute = () => {
        const validBody =
          (typeof body === 'function' ? body() : body) ?? (validBodies as Record<string, object>)[route];
        return admin.call(method, path.replace(/:\w+/, id), validBody);
      };
      await waitForAllJobs(testShop);
      const rows = await readRows();
      await setAuditTriggerState('enable');
      expect((await callRoute()).status, route).toBe(500);
      expect(await readRows(), route).toEqual(rows);
      await setAuditTriggerState('disable');
      const countBefore = await countRows(testShop.shop.db, 'audit_trail');
      const response = await callRoute();
      expect(response.status, `${route} ${response.text.slice(0, 200)}`).toBe(200);
      const { audit_trail: trail } = await readAllTables(testShop.shop.db);
      expect(trail, route).toHaveLength(countBefore + 1);
      expect(trail, route).toContainEqual(
        expect.objectContaining({
          act,
          subject_id: expect.stringMatching(/./),
          request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          person_id: 'owner',
          person_name: 'Owner',
          person_role: 'owner',
        }),
      );
      await after?.(response);
    }
  });

  test('the list of routes outside the contract is complete, and the owner’s routes in it refuse everyone else', async () => {
    const testShop = await openTestShop(fresh);
    const addresses = listMountedRoutes(testShop).map(({ path }) => path);
    const contract = new Set(apiOperationList.map(({ path }) => path));
    expect(addresses).toEqual(expect.arrayContaining([...contract]));
    const unlistedAddresses = addresses.filter((address) => !contract.has(address));
    expect(unlistedAddresses.toSorted()).toEqual(Object.values(outsideTheContract).flat().toSorted());
    const ownBrowser = testShop.browser();
    expect((await ownBrowser.get('/metrics')).status).toBe(200);
    for (const proxyHeader of proxyHeaderNames)
      expect((await ownBrowser.get('/metrics', { [proxyHeader]: '1.1.1.1' })).status, proxyHeader).toBe(404);
    for (const path of outsideTheContract.ownersAlone) {
      const response = await testShop.browser({ address: '198.51.100.1' }).get(path.replace(':id', '0'));
      expect([401, 404], path).toContain(response.status);
    }
  });
});

async function answerFileForm(): Promise<FormData> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await createSmallPhoto())], { type: 'image/jpeg' }), 'plan.jpg');
  return form;
}

/** Waits until all jobs are done, so that no job changes rows later. */
const waitForAllJobs = ({ shop: { db } }: TestShop) =>
  vi.waitFor(
    async () => {
      const { rows } = await db.execute(
        sql`select name from jobs.job where state < 'completed' and start_after < now() + interval '1 minute'`,
      );
      expect(rows).toEqual([]);
    },
    { timeout: 20_000 },
  );

interface Intruder {
  who: string;
  browser: Browser;
  headers?: Record<string, string>;
  is?: 'customer' | 'admin';
  /** The id of the stranger's own frame. */
  own?: string;
}

const isCacheable = ({ headers }: ShopResponse) => !/\bno-store\b/.test(String(headers['cache-control']));

/**
 * True for calls of the owner. The sandbox calls of the demo are only for the owner, unless they come from this
 * machine.
 */
const isOwnerCall = ({ who, path }: ApiOperation) => who === 'admin' || path.startsWith('/api/sandbox');

async function expectNoDataFor(
  { who, browser, headers, is }: Intruder,
  call: ApiOperation,
  id: string,
  secrets: string[],
  idInPath = id,
) {
  const response = await sendRequest(browser, call, id, headers, idInPath);
  const callDescription = `${who} asks ${call.route} with ${id}: ${response.status} ${response.text.slice(0, 200)}`;
  expect(
    secrets.filter((it) => response.text.includes(it)),
    callDescription,
  ).toEqual([]);
  expect(response.status, callDescription).toBeLessThan(500);
  if (call.who === 'customer' && is !== 'customer') {
    expect(response.status, callDescription).toBe(401);
    if (call.method !== 'HEAD') expect(response.json.code, callDescription).toBe('sign-in-needed');
  }
  if (isOwnerCall(call)) expect(response.json.code, callDescription).toBe('admin-needed');
  if (call.route === 'GET /api/upload-token/validate/:token' && response.status === 200)
    expect(response.json, callDescription).toMatchObject({ valid: false }); // the specification wants 200 with `valid: false` here
  else if (call.path.includes(':')) expect(response.status, callDescription).toBeGreaterThanOrEqual(400);
}

/** Sends the call with this id in its path, in every field of its query, and in every id field of its body. */
async function sendRequest(
  browser: Browser,
  call: ApiOperation,
  id: string,
  headers: Record<string, string> = {},
  idInPath = id,
): Promise<ShopResponse> {
  const { address, body, formOf } = createRequestWithId(call, id, idInPath);
  return browser.call(call.method, address, formOf ? createPhotoForm(formOf, await readSamplePhoto()) : body, headers);
}
function createRequestWithId(call: ApiOperation, id: string, idInPath: string) {
  const path = call.path.replaceAll(/:\w+/g, encodeURIComponent(idInPath));
  const fields = call.query ? Object.keys((call.query as unknown as { shape: object }).shape) : [];
  const search = new URLSearchParams(fields.map((name) => [name, name === 'page' ? '1' : id])).toString();
  const address = search === '' ? path : `${path}?${search}`;
  // The call for a free video has no id, so each stranger sends the form only once.
  if (call.multipart) return { address, formOf: call.route === 'POST /api/trial' ? 'none' : id };
  const validBody = (validBodies as Record<string, object>)[call.route];
  const body =
    validBody &&
    Object.fromEntries(
      Object.entries(validBody).map(([name, value]) => [
        name,
        isIdField(name) ? (Array.isArray(value) ? [id] : id) : value,
      ]),
    );
  return { address, body };
}
const hasIdFields = ({ route }: ApiOperation) =>
  Object.keys((validBodies as Record<string, object>)[route] ?? {}).some(isIdField);
/** One photo for all requests, because only the sender matters. */
let photoPromise: Promise<Buffer> | undefined;
const readSamplePhoto = () => (photoPromise ??= createSmallPhoto());
const isIdField = (field: string) => /(^|[a-z])(ids?|token|session)$/i.test(field) && field !== 'productId';

function withCookies(it: TestShop, cookies: Record<string, string>): Browser {
  const browser = it.browser();
  for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value);
  return browser;
}

/** Signs the owner in with another browser. Returns the id of this session. */
async function createAnotherOwnersSession(it: TestShop): Promise<string> {
  const browser = it.browser();
  await browser.post('/api/admin/auth/password', { password: adminPassword });
  const { sessions } = (await browser.get('/api/admin/security')).json;
  return sessions.find((each: { isThis: boolean }) => each.isThis).id;
}

/** The owner invites a person. Returns the id of the member. */
async function createAnotherMember(admin: Browser, email: string): Promise<string> {
  const { members } = (await admin.post('/api/admin/staff', { name: 'Kim', email, role: 'support' })).json;
  return members.find((each: { email: string }) => each.email === email).id;
}

/** Buys a frame as a guest. Returns the id of the order. */
async function buyOrderAsGuest(it: TestShop): Promise<string> {
  const { paymentIntentId } = await buyAndVerify(it.browser());
  const payment = await findPaymentOfIntent(it.shop.db, paymentIntentId);
  return (await findOrderOfPaymentId(it.shop.db, payment!.id))!.id;
}

/** Stores another return of an order. Returns its id. */
async function createAnotherReturn({ shop: { db }, clock }: TestShop, orderId: string): Promise<string> {
  const [id, at] = [newId(), clock.now()];
  await db
    .insert(returns)
    .values({ id, orderId, state: 'requested', reason: 'damaged', words: '', requestedAt: at, updatedAt: at });
  return id;
}

/** Makes a paid payment with the state `mismatched`. Returns its id. */
async function createMismatchedPayment(it: TestShop): Promise<string> {
  const browser = it.browser();
  const intent = await startPayment(browser);
  await pay(browser, intent);
  const { paymentIntentId } = intent;
  await it.shop.db.execute(sql`update payments set state = 'mismatched' where intent_id = ${paymentIntentId}`);
  return (await findPaymentOfIntent(it.shop.db, paymentIntentId))!.id;
}

/** Returns the cookies of Ben's upload link and of a contributor to his frame. */
async function createHelperHeaders(it: TestShop, ben: Browser, frameId: string): Promise<Record<string, string>> {
  const { db } = it.shop;
  const { id: subjectId } = (await ben.get('/api/auth/user')).json;
  const link = await issueToken(db, it.clock, { purpose: 'upload-link', subjectId, seconds: 3600 });
  const form = { name: 'A feast', lastDay: toShopDay(it.clock.now()) };
  const { url } = (await ben.post(`/api/devices/${frameId}/collect-link`, form)).json;
  const contributorBrowser = it.browser();
  await contributorBrowser.post(`/api/collect/${new URL(url).pathname.split('/').at(-1)}/contributors`, {
    firstName: 'Tom',
  });
  return { 'upload-link': link, ...Object.fromEntries(contributorBrowser.cookies) };
}
