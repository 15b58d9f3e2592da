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
  /** True if shared caches may store the file. A file with this name must never change. */
  isPublic?: boolean;
}

/**
 * Send a stored file or the requested range of it. The headers allow only to show the file: they fix its type, and
 * forbid sniffing, scripts and use by other sites.
 */
export async function sendStoredFile(
  storage: Storage,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, contentType, downloadName, isPublic = false }: SentFile,
) {
  const file = await storage.stat(key);
  if (!file) throw new Refusal('not-found');
  const validatorHeaders = {
    etag: `"${key.split('/').at(-1)}-${file.sizeBytes}"`,
    'last-modified': file.modifiedAt.toUTCString(),
  };
  const fileHeaders = {
    ...validatorHeaders,
    'content-type': contentType,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    // Only the visitor's browser may store a private file. It revalidates the file at each use, so the server checks
    // access each time.
    'cache-control': isPublic ? 'public, max-age=31536000, immutable' : 'private, no-cache',
    'accept-ranges': 'bytes',
    ...(downloadName !== undefined && { 'content-disposition': downloadDispositionHeader(downloadName) }),
  };
  if (fresh(request.headers, validatorHeaders)) return reply.code(304).headers(fileHeaders).send();
  const range = parseWantedRange(request.headers, validatorHeaders, file.sizeBytes);
  if (range === 'unsatisfiable')
    return reply
      .code(416)
      .headers({ ...fileHeaders, 'content-range': `bytes */${file.sizeBytes}` })
      .type('text/plain')
      .send('');
  // Open the file before headers are set. If the file was deleted in the meantime, the response is a refusal without
  // these headers.
  const bytes = request.method === 'HEAD' ? createEmptyStream() : await storage.read(key, range);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`);
  reply.header('content-length', range ? range.end - range.start + 1 : file.sizeBytes);
  return reply.headers(fileHeaders).send(bytes);
}

/** The body for HEAD. It is a stream, because Fastify would replace the content-length with the length of a text. */
const createEmptyStream = () => Readable.from([]);

/** The range to send, including both ends. Undefined if the whole file is sent, as for several separate ranges. */
function parseWantedRange(
  { range, 'if-range': unchanged }: FastifyRequest['headers'],
  state: { etag: string; 'last-modified': string },
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  if (range === undefined || !/^bytes=/i.test(range)) return undefined;
  if (unchanged !== undefined && unchanged !== state.etag && unchanged !== state['last-modified']) return undefined;
  // The library reports two kinds of ranges as unsatisfiable that are not. A range whose start is after its end is
  // ignored. A range of the last bytes that is longer than the file means the whole file.
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d+)$/i.exec(range) ?? [];
  if (first !== '' && Number(first) > Number(last)) return undefined;
  if (first === '' && Number(last) >= size) return { start: 0, end: size - 1 };
  const ranges = parseRange(size, range, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  return ranges === -2 || ranges.length > 1 ? undefined : ranges[0];
}

/**
 * The content-disposition header for a download. It has the name in ASCII for old browsers, and the real name for
 * others.
 */
export function downloadDispositionHeader(name: string): string {
  const asciiName = name.normalize('NFKD').replace(/[^\w.-]+/g, '-');
  return `attachment; filename="${asciiName}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}
