import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import parseRange from 'range-parser';
import { Refusal } from '#contract/refusals.ts';
import type { Storage } from '#shop/ports/storage.ts';

interface SentFile {
  key: string;
  contentType: string;
  downloadName?: string | undefined;
  /** Everyone may keep it: under its name it never changes. */
  isPublic?: boolean;
}

/**
 * Send a stored file, whole or the range asked for, fit to be shown and nothing else: a fixed type, no sniffing,
 * no scripts, no other site.
 */
export async function sendStored(
  storage: Storage,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, contentType, downloadName, isPublic = false }: SentFile,
) {
  const file = await storage.stat(key);
  if (!file) throw new Refusal('not-found');
  const state = {
    etag: `"${key.split('/').at(-1)}-${file.sizeBytes}"`,
    'last-modified': file.modifiedAt.toUTCString(),
  };
  const said = {
    ...state,
    'content-type': contentType,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    // A private one only the visitor's own browser keeps, and asks at each use whether they may still see it.
    'cache-control': isPublic ? 'public, max-age=31536000, immutable' : 'private, no-cache',
    'accept-ranges': 'bytes',
    ...(downloadName !== undefined && { 'content-disposition': attachment(downloadName) }),
  };
  if (fresh(request.headers, state)) return reply.code(304).headers(said).send();
  const range = wantedRange(request.headers, state, file.sizeBytes);
  if (range === 'unsatisfiable')
    return reply
      .code(416)
      .headers({ ...said, 'content-range': `bytes */${file.sizeBytes}` })
      .type('text/plain')
      .send('');
  // Opened before anything is said of it: it may go meanwhile, and then the answer is another.
  const bytes = request.method === 'HEAD' ? noBytes() : await storage.read(key, range);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`);
  reply.header('content-length', range ? range.end - range.start + 1 : file.sizeBytes);
  return reply.headers(said).send(bytes);
}

/** For HEAD: a stream, because Fastify would write the length of a text over that of the file. */
const noBytes = () => Readable.from([]);

/** The one range to send, both ends included; undefined: the whole file, also where several ranges do not touch. */
function wantedRange(
  { range, 'if-range': unchanged }: FastifyRequest['headers'],
  state: { etag: string; 'last-modified': string },
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  if (range === undefined || !/^bytes=/i.test(range)) return undefined;
  if (unchanged !== undefined && unchanged !== state.etag && unchanged !== state['last-modified']) return undefined;
  // What the library takes for ranges that cannot be met: one backwards is none at all, and more last bytes than there
  // are mean all of them.
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d+)$/i.exec(range) ?? [];
  if (first !== '' && Number(first) > Number(last)) return undefined;
  if (first === '' && Number(last) >= size) return { start: 0, end: size - 1 };
  const ranges = parseRange(size, range, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  return ranges === -2 || ranges.length > 1 ? undefined : ranges[0];
}

/** A name every browser saves: plain letters for old ones, the real name beside it. */
export function attachment(name: string): string {
  const plain = name.normalize('NFKD').replace(/[^\w.-]+/g, '-');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}
