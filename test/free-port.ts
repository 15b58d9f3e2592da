import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below what the system gives to whoever asks it for any port (from 32,768 on Linux, 49,152 elsewhere). */
const [lowest, highest, blockSize] = [20_000, 32_000, 100];

/**
 * A port of 127.0.0.1 on which nothing listens, for somebody who will. Of the ports below those that the system gives
 * away, each process has a block for itself, as long as it lives: no other test, nor one of another run, is told the same
 * before its server listens. It is told again when the whole block has been.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const block = await ownBlock();
    const port = block.first + 1 + (block.given++ % (blockSize - 1));
    const server = await listen(port);
    if (!server) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

let taken: Promise<{ first: number; given: number }> | undefined;
const ownBlock = () => (taken ??= takeBlock());

/** The block is whose process listens on its first port. */
async function takeBlock() {
  const blocks = (highest - lowest) / blockSize;
  const start = Math.floor(Math.random() * blocks);
  for (let i = 0; i < blocks; i++) {
    const first = lowest + ((start + i) % blocks) * blockSize;
    const server = await listen(first);
    if (!server) continue;
    server.unref();
    return { first, given: 0 };
  }
  throw new Error(`no block of ports between ${lowest} and ${highest} is free`);
}

/** Undefined where somebody else does. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
}
