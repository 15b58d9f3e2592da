import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import type { Db } from '#shop/ports/database.ts';
import { ApiError } from '../../web/data/api.ts';
import { retryReasonOf } from '../../web/sending/retry-reason.ts';
import { createUploadQueue, type RetryReason } from '../../web/sending/upload-queue.ts';
import { RequestRecorder } from '../faults/scenario.ts';
import { readStoredState } from '../faults/stored-state.ts';
import { anna, buyFramesAsAnna } from '../people.ts';
import { sendRemainder, requestUploadCreation } from '../resumable-upload.ts';
import type { ShopResponse, Browser, TestShop } from '../shop.ts';
import { runWithConcurrency, createStopwatch } from './run-at-interval.ts';
import { openLoadTestShop } from './load-test-shop.ts';
import { createCountFigure, type LoadTest } from './part.ts';

const mostPhones = 200;
const photosOfEach = 2;
/** How long a page waits for a photo that has arrived completely (web/data/send-in-pieces.ts), in seconds. */
const maxUploadSeconds = 300;

/** All phones upload at the same moment, each to a separate frame, in the same way as the upload page. */
export const phoneUploadsLoadTest: LoadTest = {
  name: 'phones',
  async run({ share }) {
    const shop = await openLoadTestShop();
    const { web } = shop;
    const requestRecorder = new RequestRecorder();
    const phones: Phone[] = [];
    const picture = await createPictureOfPhone();
    await runWithConcurrency(4, Array.from({ length: Math.ceil(mostPhones * share) }), async () => {
      const customerDetails = { ...anna, email: `phone-${crypto.randomUUID()}@example.com` };
      const { browser, frames } = await buyFramesAsAnna(shop as unknown as TestShop, { customerDetails });
      const photos = Array.from({ length: photosOfEach }, () => createSimilarPhoto(picture));
      phones.push({ browser, frame: frames[0]!.deviceId, photos });
    });
    const sentPhotos = new SentPhotos(requestRecorder);
    const readSecondsTaken = createStopwatch();
    await Promise.all(phones.map((it) => sentPhotos.sendAll(it)));
    const seconds = readSecondsTaken();

    // Rejects if files and rows do not match.
    const { names } = await web.readDatabase((db) => readStoredState(db, web.files));
    const rows = await web.readDatabase(readPhotos);
    const wrongRows = rows.filter(({ id, frame, hash }) => sentPhotos.acknowledged.get(id) !== `${frame} ${hash}`);
    const duplicatePhotos = rows.length - new Set(rows.map(({ frame, hash }) => `${frame} ${hash}`)).size;
    const photoCount = phones.length * photosOfEach;
    return {
      done: `${phones.length} phones at once, ${photosOfEach} photos of ${(picture.length / 1e6).toFixed(1)} MB each, in ${seconds.toFixed(0)} s; ${sentPhotos.busy} times asked to wait, ${sentPhotos.lost} answers lost`,
      figures: [
        createCountFigure('photos acknowledged', sentPhotos.acknowledged.size, photoCount),
        createCountFigure('photos given up by a phone', sentPhotos.givenUp, 0),
        createCountFigure('photos present', rows.length, sentPhotos.acknowledged.size),
        createCountFigure('photos lost', requestRecorder.findMissing(names).length, 0),
        createCountFigure('photos twice', duplicatePhotos, 0),
        createCountFigure('photos not as they were sent, or in another frame', wrongRows.length, 0),
        { name: 'the slowest photo', value: sentPhotos.slowest, unit: 's', is: 'at most', limit: maxUploadSeconds },
      ],
      words: requestRecorder.words,
    };
  },
};

interface Photo {
  key: string;
  /** The bytes are created when they are sent, because those of all photos together would be more than a gigabyte. */
  bytes: () => Buffer;
  /** The address for its pieces, once the shop has returned it. */
  address?: string;
}
interface Phone {
  browser: Browser;
  frame: string;
  photos: Photo[];
}

/** A photo as large as a phone makes them: 12 megapixels. */
function createPictureOfPhone(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 18 } as const;
  const create = { width: 4032, height: 3024, channels: 3, background: '#888', noise } as const;
  return sharp({ create }).jpeg().toBuffer();
}

/** Makes each photo unique: inserts a different comment after the first two bytes of the JPEG. */
function createSimilarPhoto(picture: Buffer): Photo {
  const key = crypto.randomUUID();
  const comment = Buffer.from(`\xff\xfe\0${String.fromCharCode(2 + key.length)}${key}`, 'latin1');
  return { key, bytes: () => Buffer.concat([picture.subarray(0, 2), comment, picture.subarray(2)]) };
}

/** What the phones have sent, and the shop's responses. */
class SentPhotos {
  /** Frame and hash, by photo id. */
  readonly acknowledged = new Map<string, string>();
  givenUp = 0;
  busy = 0;
  lost = 0;
  slowest = 0;
  readonly #requestRecorder: RequestRecorder;
  constructor(requestRecorder: RequestRecorder) {
    this.#requestRecorder = requestRecorder;
  }

  /** Uses the page's own upload queue, which retries lost and refused photos. */
  async sendAll({ browser, frame, photos }: Phone): Promise<void> {
    const secondsTaken = createStopwatch();
    const uploadQueue = createUploadQueue<Photo>({
      send: async (photo) => {
        this.#requestRecorder.tried += 1;
        const retryReason = await this.#sendPhoto(browser, frame, photo);
        if (retryReason === undefined) this.slowest = Math.max(this.slowest, secondsTaken());
        else if (retryReason === 'lost') this.lost += 1;
        else this.busy += 1;
        return retryReason ?? 'done';
      },
      pause: (ms) => sleep(ms),
      onGivenUp: (items) => (this.givenUp += items.length),
      onEnd: () => {},
    });
    uploadQueue.add(photos);
    await uploadQueue.waitUntilIdle();
  }

  async #sendPhoto(browser: Browser, frame: string, photo: Photo): Promise<RetryReason | undefined> {
    const bytes = photo.bytes();
    if (photo.address === undefined) {
      const creationResponse = await this.#sendAndCheck(
        requestUploadCreation(browser, frame, bytes.length, { key: photo.key }),
      );
      if ('loss' in creationResponse) return creationResponse.loss;
      photo.address = String(creationResponse.yes.headers['location']);
    }
    const pieceResponse = await this.#sendAndCheck(sendRemainder(browser, photo.address, bytes));
    if ('loss' in pieceResponse) return pieceResponse.loss;
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.acknowledged.set(pieceResponse.yes.json.id, `${frame} ${hash}`);
    this.#requestRecorder.acknowledged.add(`photo:${pieceResponse.yes.json.id}`);
  }

  /** Sends a request. Throws on a refusal that must not be retried, because no phone should get one. */
  async #sendAndCheck(request: Promise<ShopResponse>): Promise<{ yes: ShopResponse } | { loss: RetryReason }> {
    const responseOrError = await request.catch((error: unknown) => error);
    if (!isAnswer(responseOrError)) {
      const retryReason = retryReasonOf(responseOrError);
      if (retryReason === undefined) throw responseOrError;
      return { loss: retryReason };
    }
    const successResponse = await this.#requestRecorder.sendAndCheck(Promise.resolve(responseOrError));
    if (successResponse) return { yes: successResponse };
    const apiError = new ApiError(
      responseOrError.status,
      responseOrError.text,
      responseOrError.headers['retry-after'] as string | undefined,
    );
    const retryReason = retryReasonOf(apiError);
    if (retryReason === undefined) throw apiError;
    return { loss: retryReason };
  }
}

const isAnswer = (it: unknown): it is ShopResponse =>
  typeof it === 'object' && it !== null && 'status' in it && 'text' in it;

const readPhotos = async (db: Db) =>
  (
    await db.execute<{ id: string; frame: string; hash: string }>(
      sql`select id, frame_id as frame, sha256 as hash from uploads`,
    )
  ).rows;
