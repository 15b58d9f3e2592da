import { expect, vi } from 'vitest';
import { buyFramesAsAnna, confirmIntentWithCard, createPhotoForm, createSmallPhoto } from '../people.ts';
import { annasCart } from '../paying.ts';
import { adminPassword, type Browser, type TestShop } from '../shop.ts';
import type { RequestRecorder } from './scenario.ts';

export interface StartedPayment {
  browser: Browser;
  paymentIntentId: string;
  clientSecret: string;
}

/** Anna with many frames, new buyers, and the owner. The ledger records what they do. */
export class Customers {
  readonly anna: Browser;
  readonly owner: Browser;
  readonly frames: string[];
  readonly #requestRecorder: RequestRecorder;
  readonly #browser: () => Browser;
  #photos = 0;
  readonly #toTidyUp: string[] = [];

  static async prepare(browser: () => Browser, requestRecorder: RequestRecorder): Promise<Customers> {
    const { browser: anna, frames } = await buyFramesAsAnna({ browser } as unknown as TestShop, {
      quantity: 20,
      extraPackages: 40,
    });
    const owner = browser();
    expect((await owner.post('/api/admin/auth/password', { password: adminPassword })).status).toBe(200);
    return new Customers(
      anna,
      owner,
      frames.map((it) => it.deviceId),
      requestRecorder,
      browser,
    );
  }
  private constructor(
    anna: Browser,
    owner: Browser,
    frames: string[],
    requestRecorder: RequestRecorder,
    browser: () => Browser,
  ) {
    this.anna = anna;
    this.owner = owner;
    this.frames = frames;
    this.#requestRecorder = requestRecorder;
    this.#browser = browser;
  }

  /** Returns the same users, who send their requests to another server. */
  onServer(browser: () => Browser): Customers {
    const copyBrowser = (it: Browser) => {
      const copiedBrowser = browser();
      for (const [name, value] of it.cookies) copiedBrowser.cookies.set(name, value);
      return copiedBrowser;
    };
    return new Customers(copyBrowser(this.anna), copyBrowser(this.owner), this.frames, this.#requestRecorder, browser);
  }
  newcomer = (): Browser => this.#browser();

  beginOrder = async (): Promise<StartedPayment | undefined> => {
    const browser = this.#browser();
    const startResult = await this.#requestRecorder.sendAndCheck(browser.post('/api/create-payment-intent', annasCart));
    return startResult && { browser, ...startResult.json };
  };
  beginAddon = async (deviceId: string): Promise<StartedPayment | undefined> => {
    const startResult = await this.#requestRecorder.sendAndCheck(
      this.anna.post('/api/create-addon-payment-intent', { deviceId, quantity: 1 }),
    );
    return startResult && { browser: this.anna, ...startResult.json };
  };
  /**
   * Charges a card. A successful charge counts as acknowledged, because the shop must then deliver what was paid for.
   */
  charge = async ({ browser, paymentIntentId, clientSecret }: StartedPayment): Promise<boolean> => {
    this.#requestRecorder.tried += 1;
    // Do not send this through the ledger, because the response comes from the provider, in the provider's format.
    const confirmResponse = await confirmIntentWithCard(browser, paymentIntentId, clientSecret).catch(() => undefined);
    const isTaken = confirmResponse?.json?.status === 'succeeded';
    if (isTaken) this.#requestRecorder.acknowledged.add(`paid:${paymentIntentId}`);
    return isTaken;
  };
  settle = async ({ browser, paymentIntentId }: StartedPayment): Promise<boolean> => {
    const verifyPath = browser === this.anna ? '/api/verify-addon-payment' : '/api/verify-payment';
    const settleResult = await this.#requestRecorder.sendAndCheck(browser.post(verifyPath, { paymentIntentId }));
    if (settleResult?.json.success !== true) return false;
    this.#requestRecorder.acknowledged.add(`paid:${paymentIntentId}`);
    return true;
  };
  buy = async (): Promise<void> => {
    const charge = await this.beginOrder();
    if (charge && (await this.charge(charge))) await this.settle(charge);
  };
  buyAddon = async (deviceId: string): Promise<void> => {
    const charge = await this.beginAddon(deviceId);
    if (charge && (await this.charge(charge))) await this.settle(charge);
  };

  /** Refunds an order in full. */
  refund = async (orderId: string): Promise<void> => {
    const key = crypto.randomUUID();
    const refundRequest = this.owner.post(`/api/admin/orders/${orderId}/refunds`, { reason: 'It came too late', key });
    await this.#requestRecorder.tryRequest(refundRequest, () => `refund:${key}`);
  };
  async findOrderOf({ paymentIntentId }: StartedPayment): Promise<string> {
    const foundOrders = await this.owner.get(`/api/admin/lists/orders?q=${paymentIntentId}`);
    return foundOrders.json.rows[0].id;
  }

  /** Returns the photo's id. */
  upload = async (deviceId = this.frameForPhotos()): Promise<string | undefined> => {
    const form = createPhotoForm(deviceId, await createSmallPhoto());
    form.append('key', crypto.randomUUID());
    const sentPhoto = await this.#requestRecorder.tryRequest(
      this.anna.post('/api/upload', form),
      (yes) => `photo:${yes.json.id}`,
    );
    return sentPhoto?.json.id;
  };
  /** The last four frames receive photos in turn. The other frames get videos. */
  frameForPhotos = (): string => this.frames.at(-1 - (this.#photos++ % 4))!;

  /** Uploads a photo and deletes the eighth one before it, so that the frames never fill up. */
  uploadAndTidyUp = async (): Promise<void> => {
    const photoId = await this.upload();
    if (photoId) this.#toTidyUp.push(photoId);
    if (this.#toTidyUp.length < 8) return;
    const oldPhotoId = this.#toTidyUp.shift()!;
    this.#requestRecorder.acknowledged.delete(`photo:${oldPhotoId}`); // unknown, until the deletion is acknowledged
    await this.#requestRecorder.tryRequest(this.anna.delete(`/api/uploads/${oldPhotoId}`), () => `gone:${oldPhotoId}`);
  };

  /** Public pages must be served regardless of failures behind them. */
  lookAround = async (): Promise<void> => {
    for (const page of ['/', '/faq', '/gallery', '/data/faqs.json'])
      await this.#requestRecorder.sendAndCheck(this.#browser().get(page));
  };

  /** Uploads a photo and finalizes the frame. From then on, its video must be made. */
  orderFilm = async (deviceId: string): Promise<void> => {
    const photo = await this.upload(deviceId);
    const finishedResponsePromise = this.anna.post('/api/uploads/finalize', { deviceId });
    await this.#requestRecorder.tryRequest(finishedResponsePromise, () => photo && `film:${photo}`);
  };

  /**
   * Waits until every ordered video is made. Call it before reading the embedded database, because reading that
   * database stops the shop and its renderer.
   */
  filmsMade = (): Promise<void> =>
    vi.waitFor(
      async () => {
        const orders: { frames: { videos: { state: string }[] }[] }[] = (
          await this.owner.get('/api/admin/production-orders')
        ).json;
        const states = orders.flatMap(({ frames }) => frames.flatMap(({ videos }) => videos.map((it) => it.state)));
        if (states.some((it) => it !== 'rendered')) throw new Error(`not every film is made: ${states.join(', ')}`);
      },
      { timeout: 800_000, interval: 1000 },
    );
}
