import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/refusals.ts';
import type { Storage } from '#shop/ports.ts';

/**
 * Send a private stored file, whole or the range asked for, fit to be shown and nothing else: a fixed type, no sniffing,
 * no scripts, no other site.
 */
export async function sendStored(
  storage: Storage,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, contentType, downloadName }: { key: string; contentType: string; downloadName?: string | undefined },
) {
  const file = await storage.stat(key);
  if (!file) throw new Refusal('not-found');
  const etag = `"${key.split('/').at(-1)}-${file.sizeBytes}"`;
  reply.headers({
    'content-type': contentType,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    etag,
    ...(downloadName !== undefined && { 'content-disposition': attachment(downloadName) }),
  });
  const range = readRange(request.headers.range, file.sizeBytes);
  if (range === 'unsatisfiable')
    return reply.code(416).header('content-range', `bytes */${file.sizeBytes}`).type('text/plain').send('');
  if (!range) {
    reply.header('content-length', file.sizeBytes);
    return reply.send(request.method === 'HEAD' ? noBytes() : await storage.read(key));
  }
  reply.code(206).headers({
    'content-range': `bytes ${range.start}-${range.end}/${file.sizeBytes}`,
    'content-length': range.end - range.start + 1,
  });
  return reply.send(request.method === 'HEAD' ? noBytes() : await storage.read(key, range));
}

/** For HEAD: a stream, because Fastify would write the length of a text over that of the file. */
const noBytes = () => Readable.from([]);

/** One range of bytes, both ends included; several are answered with the whole file. */
function readRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  // A range that ends before it starts is no range: as if it had not been asked for.
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  return start > end || start >= size ? 'unsatisfiable' : { start, end };
}

/** A name every browser saves: plain letters for old ones, the real name beside it. */
export function attachment(name: string): string {
  const plain = name.normalize('NFKD').replace(/[^\w.-]+/g, '-');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}
