import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Test ports are below the range from which the system assigns ports (from 32,768 on Linux, 49,152 elsewhere). */
const [lowest, highest, blockSize] = [20_000, 32_000, 100];

/**
 * Returns a port of 127.0.0.1 on which nothing listens. Each process reserves a block of ports for its lifetime, below
 * the range from which the system assigns ports. So no other test or test run gets the same port before its server
 * listens. A port is returned again only after all others of the block.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const block = await claimBlock();
    const port = block.first + 1 + (block.given++ % (blockSize - 1));
    const server = await listen(port);
    if (!server) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

let portBlockPromise: Promise<{ first: number; given: number }> | undefined;
const claimBlock = () => (portBlockPromise ??= lockFreeBlock());

/** A process owns a block while it listens on the block's first port. */
async function lockFreeBlock() {
  const blockCount = (highest - lowest) / blockSize;
  const startBlock = Math.floor(Math.random() * blockCount);
  for (let i = 0; i < blockCount; i++) {
    const firstPort = lowest + ((startBlock + i) % blockCount) * blockSize;
    const server = await listen(firstPort);
    if (!server) continue;
    server.unref();
    return { first: firstPort, given: 0 };
  }
  throw new Error(`no block of ports between ${lowest} and ${highest} is free`);
}

/** Returns undefined if the port is in use. */
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
