import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

const percentEncode = (letter: string) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Other ways to write the same path, by name. A server must treat each like the plain path, or refuse it. */
export function listPathSpellings(path: string): Record<string, string> {
  const pathWithoutSlash = path.slice(1);
  const lastSlash = path.lastIndexOf('/');
  return {
    'one letter encoded': `/${percentEncode(pathWithoutSlash[0] ?? '.')}${pathWithoutSlash.slice(1)}`,
    'every letter encoded': path.replaceAll(/[a-z]/g, (letter) => percentEncode(letter).toUpperCase()),
    'encoded twice': path.replaceAll(/[a-z]/g, (letter) => percentEncode(letter).replace('%', '%25')),
    'absolute form': `http://shop.example${path}`,
    'absolute form in capitals': `HTTPS://user@SHOP.example:8443${path}`,
    'a dot before it': `/.${path}`,
    'an encoded dot before it': `/%2e${path}`,
    'two dots before it': `/x/..${path}`,
    'two encoded dots before it': `/x/%2E%2e${path}`,
    'a dot inside it': `${path.slice(0, lastSlash)}/.${path.slice(lastSlash)}`,
    'two slashes before it': `/${path}`,
    'two slashes inside it': `${path.slice(0, lastSlash)}/${path.slice(lastSlash)}`,
    'two slashes in the absolute form': `http://shop.example/${path}`,
    'a slash after it': `${path}/`,
    'a backslash before it': `/\\${pathWithoutSlash}`,
    'an encoded slash before it': `/%2F${pathWithoutSlash}`,
    'an encoded slash inside it': `${path.slice(0, lastSlash)}%2f${path.slice(lastSlash + 1)}`,
    'an encoded backslash inside it': `${path.slice(0, lastSlash)}%5C${path.slice(lastSlash + 1)}`,
    'a fragment after it': `${path}#x`,
    'an encoded NUL after it': `${path}%00`,
    'broken encoding after it': `${path}%E0%A4%A`,
  };
}

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends requests with the exact request target, because `fetch` would normalize it. A header may be sent twice. */
export function createRawClient(origin: string): {
  requestRaw: (method: string, target: string, headers?: Record<string, string | string[]>) => Promise<RawResponse>;
  close: () => void;
} {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const requestRaw = (method: string, target: string, headers: Record<string, string | string[]> = {}) =>
    new Promise<RawResponse>((resolve, reject) => {
      // A flat list, because an object cannot contain Host twice.
      const contentLengthHeader = method === 'GET' || method === 'HEAD' ? {} : { 'content-length': '0' };
      const allHeaders = Object.entries({ host: `${hostname}:${port}`, ...contentLengthHeader, ...headers });
      const rawHeaderList = allHeaders.flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]));
      const outgoingRequest = httpRequest(
        { agent, hostname, port, method, path: target, headers: rawHeaderList },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({ status: answer.statusCode!, headers: answer.headers, text: Buffer.concat(parts).toString() }),
          );
        },
      );
      outgoingRequest.on('error', reject);
      outgoingRequest.end();
    });
  return { requestRaw, close: () => agent.destroy() };
}
