import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from './free-port.ts';

const childScript = new URL('./find-ports-child.ts', import.meta.url);

test('several processes never get the same port, even before they listen on their ports', async () => {
  const children = Array.from({ length: 4 }, () => fork(childScript, { execArgv: ['--import', 'tsx'] }));
  onTestFinished(() => children.forEach((it) => it.disconnect()));
  const allPorts = await Promise.all(children.map(async (it) => (await once(it, 'message'))[0] as number[]));
  expect(allPorts.map((it) => it.length)).toEqual(children.map(() => 60));
  expect(new Set(allPorts.flat()).size).toBe(allPorts.flat().length);
});

test('returns a used port again only after its server has closed', async () => {
  const takenPort = await findFreePort();
  const server = createServer().listen(takenPort);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const [first] = await takeAllPorts();
  expect(await takeAllPorts()).not.toContain(takenPort);
  server.close();
  await once(server, 'close');
  const secondRound = await takeAllPorts();
  expect(secondRound).toContain(first);
  expect(secondRound).toContain(takenPort);
});

/** Returns all ports until the first one repeats. */
async function takeAllPorts(): Promise<number[]> {
  const ports = [await findFreePort()];
  for (let next = await findFreePort(); next !== ports[0]; next = await findFreePort()) ports.push(next);
  return ports;
}
