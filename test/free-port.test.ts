import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from './free-port.ts';

const asking = new URL('./ask-for-ports.ts', import.meta.url);

test('no two processes are given the same port, though none listens on its own yet', async () => {
  const children = Array.from({ length: 4 }, () => fork(asking, { execArgv: ['--import', 'tsx'] }));
  onTestFinished(() => children.forEach((it) => it.disconnect()));
  const told = await Promise.all(children.map(async (it) => (await once(it, 'message'))[0] as number[]));
  expect(told.map((it) => it.length)).toEqual(children.map(() => 60));
  expect(new Set(told.flat()).size).toBe(told.flat().length);
});

test('a port is not told again while somebody listens on it, and is when nobody does', async () => {
  const taken = await findFreePort();
  const server = createServer().listen(taken);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const [first] = await wholeRound();
  expect(await wholeRound()).not.toContain(taken);
  server.close();
  await once(server, 'close');
  const again = await wholeRound();
  expect(again).toContain(first);
  expect(again).toContain(taken);
});

/** All that is told until the first one comes again. */
async function wholeRound(): Promise<number[]> {
  const ports = [await findFreePort()];
  for (let next = await findFreePort(); next !== ports[0]; next = await findFreePort()) ports.push(next);
  return ports;
}
