import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { App } from '#server/app.ts';
import { createShopCommand } from '../../scripts/shop-command.ts';
import { findFreePort } from '../free-port.ts';
import { adminPassword, baseUrl, Browser } from '../shop.ts';

/** The production build as an operator runs it: a separate process on a data folder, used over HTTP. */
export class RunningShop {
  readonly child: ChildProcess;
  readonly origin: string;
  /** Everything it has printed so far. */
  output = '';

  /** @param release the folder of a different release */
  static async start(
    dataDir: string,
    env: Record<string, string> = {},
    port?: number,
    release?: string,
  ): Promise<RunningShop> {
    return new RunningShop(dataDir, port ?? (await findFreePort()), env, release);
  }
  private constructor(dataDir: string, port: number, env: Record<string, string>, release: string | undefined) {
    this.origin = `http://127.0.0.1:${port}`;
    const { args, environment } = createShopCommand('main', { root: release });
    this.child = spawn(process.execPath, args, {
      // Do not inherit settings of this machine.
      env: {
        ...environment,
        PATH: process.env['PATH'] ?? '',
        DATA_DIR: dataDir,
        PORT: String(port),
        BASE_URL: baseUrl,
        ADMIN_PASSWORD: adminPassword,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
  }

  /** Resolves when the shop is ready. Rejects if it exits before. */
  async waitUntilReady(): Promise<this> {
    for (;;) {
      if (this.#hasEnded) throw new Error(`the shop did not start:\n${this.output}`);
      const response = await fetch(`${this.origin}/health/ready`).catch(() => undefined);
      if (response?.status === 200) return this;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  get #hasEnded() {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.#hasEnded) return this.child.exitCode;
    const exitEvent = once(this.child, 'exit');
    this.child.kill(signal);
    await exitEvent;
    return this.child.exitCode;
  }
  async waitForExit(): Promise<number | null> {
    if (!this.#hasEnded) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  browser(): Browser {
    return createNetworkBrowser(this.origin);
  }
}

/**
 * A browser with the same interface as in tests without a network. `address` is the visitor's address, if the shop
 * trusts the proxy header. Calls of the payment provider go to `payAt`.
 */
export const createNetworkBrowser = (
  origin: string,
  { address, payAt = origin }: { address?: string; payAt?: string } = {},
) => {
  const forwardedHeader = address !== undefined && { 'x-forwarded-for': address };
  const inject = (call: Call) =>
    sendCall(call.url.startsWith('/sandbox/') ? payAt : origin, {
      ...call,
      headers: { ...call.headers, ...forwardedHeader },
    });
  return new Browser({ inject } as unknown as App, '127.0.0.1');
};

/** Visitors behind a proxy, each with a separate address, who pay at the provider directly. */
export function createVisitorBrowsers(origin: string, payAt: string) {
  let people = 0;
  const createAddress = () => {
    people += 1;
    return `198.18.${(people >> 8) % 256}.${people % 256}`;
  };
  return {
    newAddress: createAddress,
    browser: () => createNetworkBrowser(origin, { address: createAddress(), payAt }),
  };
}

async function sendCall(origin: string, { method, url, headers, payload }: Call) {
  const response = await fetch(origin + url, {
    method,
    headers,
    ...(payload !== undefined && { body: payload as BodyInit }),
    redirect: 'manual',
  });
  const rawPayload = Buffer.from(await response.arrayBuffer());
  const cookies = response.headers.getSetCookie().map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!;
    const maxAge = /max-age=(-?\d+)/i.exec(line)?.[1];
    return { name, value, ...(maxAge !== undefined && { maxAge: Number(maxAge) }) };
  });
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: rawPayload.toString(),
    rawPayload,
    cookies,
  };
}
interface Call {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer;
}
