import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataStore, ERRORS, Server, Upload } from '@tus/server';
import * as z from 'zod';
import type { Api } from '#contract/api.ts';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { createTargetOfContributor } from '#shop/collect-links/collect-links.ts';
import {
  createPhotoUpload,
  findArrivalById,
  deleteArrival,
  storePiece,
  type Arrival,
  type ArrivalTarget,
} from '#shop/photos/arrivals.ts';
import { createCustomerTarget } from '#shop/photos/add-photo.ts';
import { findPhotoById } from '#shop/photos/photos.ts';
import { findTargetByLink } from '#shop/upload-links/upload-links.ts';
import type { Shop } from '../shop.ts';
import type { HttpScope } from './common/http-scope.ts';
import { mountOperation, type OperationCall } from './common/serve.ts';
import { refuseUnstorable } from './common/storable.ts';
import { requireOwnFrame } from './frames.ts';
import { uploadView } from './views.ts';

/** The paths of uploads in pieces: for customers, for holders of an upload link, and for contributors. */
const arrivalPaths = ['/api/arrivals', '/api/customer-upload/arrivals', '/api/collect/:token/arrivals'] as const;
type UploadCall = Pick<
  OperationCall<Api[`POST ${(typeof arrivalPaths)[number]}`]>,
  'customer' | 'link' | 'contribution' | 'request' | 'reply'
>;

/** Photos that were selected together have the same selection id, and each photo has its place in the selection. */
const PlaceInSelection = z.object({
  selection: z.uuid(),
  place: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number),
});

/**
 * Uploads in pieces, with the tus protocol. The library @tus/server handles the protocol. The shop decides who may
 * upload, stores the pieces, and writes the responses.
 */
export function registerArrivalRoutes({ app, shop }: HttpScope): void {
  const { db, clock } = shop;
  // Do not read the body of a piece here, because the library reads it as a stream.
  app.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) => done(null));

  /** The frame to which this sender's photo is added. Only a customer has to name the frame. */
  async function findTarget(
    { customer, link, contribution }: UploadCall,
    frameId: string | null | undefined,
  ): Promise<ArrivalTarget> {
    if (link) return findTargetByLink(db, link);
    if (contribution) return createTargetOfContributor(clock, contribution.collecting, contribution.contributor);
    if (!frameId) throw new Refusal('frame-not-selected');
    return createCustomerTarget(await requireOwnFrame(db, customer!.id, frameId), customer!.id);
  }

  async function createArrival(sender: UploadCall, sizeBytes: number, metadata: Record<string, string | null>) {
    refuseUnstorable(metadata);
    const { deviceId, filename, key, selection, place: at } = metadata;
    const arrivalTarget = await findTarget(sender, deviceId);
    if (key != null && !z.uuid().safeParse(key).success) throw new Refusal('invalid-request');
    const chosenSelection = selection == null ? undefined : PlaceInSelection.safeParse({ selection, place: at }).data;
    if (selection != null && !chosenSelection) throw new Refusal('invalid-request');
    return createPhotoUpload(shop, arrivalTarget, {
      name: filename ?? '',
      sizeBytes,
      photoKey: key ?? undefined,
      chosen: chosenSelection,
    });
  }

  /** The frame for the photo of an upload. Refuses with not-found if another sender created the upload. */
  async function findArrivalTarget(sender: UploadCall, id: string): Promise<ArrivalTarget> {
    const arrival = await findArrivalById(db, id);
    const arrivalTarget = arrival && (await findTarget(sender, arrival.frameId));
    if (!arrivalTarget || arrival.guestId !== (arrivalTarget.guestId ?? null)) throw new Refusal('not-found');
    return arrivalTarget;
  }

  /** Passes the request to the library and copies its response. Throws if the shop refuses the request. */
  async function handleTusRequest(sender: UploadCall, own?: { id: string; place: ArrivalTarget }): Promise<void> {
    const { request, reply } = sender;
    const address = request.url.split('?')[0]!;
    const tus = new Server({
      path: own ? address.slice(0, address.lastIndexOf('/')) : address,
      datastore: new ArrivalDataStore(shop, own?.place),
      relativeLocation: true,
      // The library's locks are not needed. A conditional update in the database accepts each piece once, and the
      // unique key of the photo prevents a second photo.
      locker: { newLock: () => ({ lock: async () => {}, unlock: async () => {} }) },
      // The library calls this to name a new upload. Create the upload here, so that its id becomes the name.
      namingFunction: async ({ headers }, metadata = {}) =>
        (await createArrival(sender, Number(headers.get('upload-length')), metadata)).id,
      onResponseError: (_request, error) => {
        throw toRefusal(error);
      },
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string') headers.set(name, value);
    const { method } = request;
    const pieceBody = method === 'PATCH' && { body: Readable.toWeb(request.raw), duplex: 'half' };
    const tusRequest = new Request(`http://tus${own ? `/${own.id}` : ''}`, {
      method,
      headers,
      ...pieceBody,
    } as RequestInit);
    const response = await tus.handleWeb(tusRequest);
    if (!response.ok) throw new Refusal('invalid-request'); // the request does not follow the protocol
    reply.code(response.status);
    for (const name of ['location', 'tus-resumable', 'upload-offset', 'upload-length'])
      if (response.headers.has(name)) reply.header(name, response.headers.get(name));
  }

  for (const address of arrivalPaths) {
    mountOperation(app, `POST ${address}` as const, async (sender) => {
      // The library supports the extension "creation with upload", but the shop does not. Refuse such a request before
      // the upload is created.
      if (/^application\/offset\+octet-stream/i.test(sender.request.headers['content-type'] ?? ''))
        throw new Refusal('invalid-request');
      await handleTusRequest(sender);
      return null;
    });
    mountOperation(app, `PATCH ${address}/:id` as const, async (sender) => {
      const { id } = sender.params;
      if (Number(sender.request.headers['content-length']) > limits.pieceBytes) throw new Refusal('piece-too-large');
      await handleTusRequest(sender, { id, place: await findArrivalTarget(sender, id) });
      const uploadId = (await findArrivalById(db, id))?.uploadId;
      const photo = uploadId && (await findPhotoById(db, uploadId));
      if (!photo) return null;
      sender.reply.code(200);
      return uploadView(photo);
    });
    for (const method of ['HEAD', 'DELETE'] as const)
      mountOperation(app, `${method} ${address}/:id` as const, async (sender) => {
        const { id } = sender.params;
        await handleTusRequest(sender, { id, place: await findArrivalTarget(sender, id) });
        return null;
      });
  }
}

/** The storage that the library uses: it stores the pieces in the shop. */
class ArrivalDataStore extends DataStore {
  readonly #shop: Shop;
  readonly #place: ArrivalTarget | undefined;
  /** @param place where the photo is added. Undefined in the request that creates the upload */
  constructor(shop: Shop, place: ArrivalTarget | undefined) {
    super();
    this.#shop = shop;
    this.#place = place;
    this.extensions = ['creation', 'termination'];
  }

  override create = async (upload: Upload) => upload;

  override async getUpload(id: string): Promise<Upload> {
    const { sizeBytes: size, arrivedBytes: offset } = await this.#readArrival(id);
    return new Upload({ id, size, offset });
  }

  override async write(stream: Readable, id: string, start: number): Promise<number> {
    const arrivalTarget = this.#place;
    if (!arrivalTarget) throw new Refusal('invalid-request');
    const arrival = await this.#readArrival(id);
    const folder = await mkdtemp(join(this.#shop.workFolder, 'piece-'));
    try {
      const path = join(folder, 'piece');
      let sizeBytes = 0;
      async function* countBytes(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          sizeBytes += chunk.length;
          if (sizeBytes > limits.pieceBytes) throw new Refusal('piece-too-large');
          yield chunk;
        }
      }
      await pipeline(stream, countBytes, createWriteStream(path));
      return await storePiece(this.#shop, arrivalTarget, arrival, { path, start, sizeBytes });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  override async remove(id: string): Promise<void> {
    await deleteArrival(this.#shop, id);
  }

  async #readArrival(id: string): Promise<Arrival> {
    const arrival = await findArrivalById(this.#shop.db, id);
    if (!arrival) throw ERRORS.FILE_NOT_FOUND; // the upload was canceled during this request
    return arrival;
  }
}

/** Turns the library's errors into the shop's refusals. */
function toRefusal(error: unknown): unknown {
  if (error === ERRORS.FILE_NOT_FOUND) return new Refusal('not-found');
  if (error === ERRORS.INVALID_OFFSET) return new Refusal('piece-out-of-order');
  if (error === ERRORS.ERR_SIZE_EXCEEDED) return new Refusal('piece-too-long');
  // The library throws a plain object, not an Error, if it cannot read a request or if a request ends early.
  return error instanceof Error ? error : new Refusal('invalid-request');
}
