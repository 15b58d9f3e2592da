import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataStore, ERRORS, Server, Upload } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { announcePhoto, arrivalById, giveUpArrival, takePiece, type Arrival } from '#shop/photos/arrivals.ts';
import { photoById } from '#shop/photos/photos.ts';
import type { Shop } from '../shop.ts';
import type { Door } from './door/door.ts';
import { serve } from './door/serve.ts';
import { refuseUnstorable } from './door/storable.ts';
import { ownFrame } from './frames.ts';
import { uploadView } from './views.ts';

/** Photos in pieces: the protocol is the library's; who may, what is kept and what is said is the shop's. */
export function arrivalsHttp({ app, shop }: Door): void {
  const { db } = shop;
  const senders = new WeakMap<Request, string>();
  const tus = new Server({
    path: '/api/arrivals',
    datastore: new Pieces(shop),
    relativeLocation: true,
    // The database decides who comes first: its guarded update for a piece, the photo's key for the last one.
    locker: { newLock: () => ({ lock: async () => {}, unlock: async () => {} }) },
    // Where the library asks for a name, the photo is announced: its id is one.
    namingFunction: async (request, metadata = {}) => (await announce(senders.get(request)!, request, metadata)).id,
    onResponseError: (_request, error) => {
      throw refusalOf(error);
    },
  });
  // A piece is read as it comes, by whoever takes it.
  app.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) => done(null));

  async function announce(sender: string, { headers }: Request, metadata: Record<string, string | null>) {
    refuseUnstorable(metadata);
    const { deviceId, filename, key } = metadata;
    if (!deviceId) throw new Refusal('frame-not-selected');
    if (key != null && !z.uuid().safeParse(key).success) throw new Refusal('invalid-request');
    const frame = await ownFrame(db, sender, deviceId);
    const sizeBytes = Number(headers.get('upload-length'));
    return announcePhoto(shop, frame, { name: filename ?? '', sizeBytes, sender, photoKey: key ?? undefined });
  }

  /** What the protocol says to this request; the shop's own no is thrown. */
  async function speakTus(request: FastifyRequest, reply: FastifyReply, sender: string, id?: string): Promise<void> {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string') headers.set(name, value);
    const { method } = request;
    const piece = method === 'PATCH' && { body: Readable.toWeb(request.raw), duplex: 'half' };
    const asked = new Request(`http://tus/api/arrivals${id === undefined ? '' : `/${id}`}`, {
      method,
      headers,
      ...piece,
    } as RequestInit);
    senders.set(asked, sender);
    const answer = await tus.handleWeb(asked);
    if (!answer.ok) throw new Refusal('invalid-request'); // headers that the protocol does not have
    reply.code(answer.status);
    for (const name of ['location', 'tus-resumable', 'upload-offset', 'upload-length'])
      if (answer.headers.has(name)) reply.header(name, answer.headers.get(name));
  }

  /** A photo on its way to one of the customer's own frames; anyone else's does not exist. */
  async function refuseForeign(customerId: string, id: string): Promise<void> {
    const arrival = await arrivalById(db, id);
    if (!arrival) throw new Refusal('not-found');
    await ownFrame(db, customerId, arrival.frameId);
  }

  serve(app, 'POST /api/arrivals', async ({ customer, request, reply }) => {
    await speakTus(request, reply, customer.id);
    return null;
  });
  serve(app, 'PATCH /api/arrivals/:id', async ({ customer, params, request, reply }) => {
    if (Number(request.headers['content-length']) > limits.pieceBytes) throw new Refusal('piece-too-large');
    await refuseForeign(customer.id, params.id);
    await speakTus(request, reply, customer.id, params.id);
    const uploadId = (await arrivalById(db, params.id))?.uploadId;
    const photo = uploadId && (await photoById(db, uploadId));
    if (!photo) return null;
    reply.code(200);
    return uploadView(photo);
  });
  for (const route of ['HEAD /api/arrivals/:id', 'DELETE /api/arrivals/:id'] as const)
    serve(app, route, async ({ customer, params, request, reply }) => {
      await refuseForeign(customer.id, params.id);
      await speakTus(request, reply, customer.id, params.id);
      return null;
    });
}

/** Where the library keeps what it is given. */
class Pieces extends DataStore {
  readonly #shop: Shop;
  constructor(shop: Shop) {
    super();
    this.#shop = shop;
    this.extensions = ['creation', 'termination'];
  }

  override create = async (upload: Upload) => upload;

  override async getUpload(id: string): Promise<Upload> {
    const { sizeBytes: size, arrivedBytes: offset } = await this.#arrival(id);
    return new Upload({ id, size, offset });
  }

  override async write(stream: Readable, id: string, start: number): Promise<number> {
    const arrival = await this.#arrival(id);
    const folder = await mkdtemp(join(this.#shop.workFolder, 'piece-'));
    try {
      const path = join(folder, 'piece');
      let sizeBytes = 0;
      async function* counted(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          sizeBytes += chunk.length;
          if (sizeBytes > limits.pieceBytes) throw new Refusal('piece-too-large');
          yield chunk;
        }
      }
      await pipeline(stream, counted, createWriteStream(path));
      return await takePiece(this.#shop, arrival, { path, start, sizeBytes });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  override async remove(id: string): Promise<void> {
    await giveUpArrival(this.#shop, id);
  }

  async #arrival(id: string): Promise<Arrival> {
    const arrival = await arrivalById(this.#shop.db, id);
    if (!arrival) throw ERRORS.FILE_NOT_FOUND; // given up meanwhile
    return arrival;
  }
}

/** The library's no in the shop's words. */
function refusalOf(error: unknown): unknown {
  if (error === ERRORS.FILE_NOT_FOUND) return new Refusal('not-found');
  if (error === ERRORS.INVALID_OFFSET) return new Refusal('piece-out-of-order');
  if (error === ERRORS.ERR_SIZE_EXCEEDED) return new Refusal('piece-too-long');
  // What it throws itself is no Error: a request that it cannot read, or one that has ended half way.
  return error instanceof Error ? error : new Refusal('invalid-request');
}
