import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '#test/free-port.ts';

/** Starts a process with one route for each kind of error that no handler catches. */
async function startFaultyServer() {
  const port = await findFreePort();
  const faultyServerProcess = fork(join(import.meta.dirname, '../../../test/failing-routes.ts'), {
    env: { PORT: String(port), PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  onTestFinished(() => void faultyServerProcess.kill('SIGKILL'));
  let log = '';
  faultyServerProcess.stdout!.setEncoding('utf8').on('data', (text: string) => (log += text));
  const [{ faults }] = (await once(faultyServerProcess, 'message')) as [{ faults: string[] }];
  const origin = `http://127.0.0.1:${port}`;
  return {
    child: faultyServerProcess,
    faults,
    port,
    logged: () => log,
    isAlive: () =>
      fetch(`${origin}/alive`).then(
        (it) => it.ok,
        () => false,
      ),
  };
}

/**
 * Sends a request in two halves, with a pause. With `isTorn`, resets the connection instead of sending the second half.
 * Returns the first line of the response, or '' with `isTorn`.
 */
async function sendRaw(port: number, path: string, { isTorn = false } = {}): Promise<string> {
  const answeredPromise = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8').on('data', (text) => answeredPromise.resolve(String(text).split('\r\n')[0]!));
  socket.on('error', () => {});
  const type = 'content-type: application/octet-stream';
  socket.write(`POST ${encodeURI(path)} HTTP/1.1\r\nhost: x\r\n${type}\r\ncontent-length: 10\r\n\r\nhello`);
  await sleep(100);
  if (isTorn) socket.resetAndDestroy();
  else socket.write('world');
  const statusLine = isTorn ? '' : await Promise.race([answeredPromise.promise, sleep(10_000, 'no answer')]);
  socket.destroy();
  return statusLine;
}

test('an uncaught error ends only its own request with a 500 message, and the process continues', async () => {
  const faultyServer = await startFaultyServer();
  const statusLinesByFault: Record<string, string> = {};
  const lateFaultPattern = /^a (listener of the (connection|answer)|stream torn)/;
  for (const serverFault of faultyServer.faults) {
    if (!lateFaultPattern.test(serverFault))
      statusLinesByFault[serverFault] = await sendRaw(faultyServer.port, `/${serverFault}`);
    await sendRaw(faultyServer.port, `/${serverFault}`, { isTorn: true });
    expect(await faultyServer.isAlive(), serverFault).toBe(true);
  }
  const checkedStatusLines = Object.entries(statusLinesByFault).filter(([fault]) => !fault.startsWith('after'));
  expect(checkedStatusLines.map(([fault, answer]) => [fault, answer])).toEqual(
    checkedStatusLines.map(([fault]) => [fault, 'HTTP/1.1 500 Internal Server Error']),
  );
  expect(statusLinesByFault['after the answer']).toBe('HTTP/1.1 200 OK');
  const findLoggedError = (words: string) =>
    faultyServer
      .logged()
      .split('\n')
      .find((line) => line.includes('uncaught error in a request') && line.includes(words));
  for (const text of ['an uncaught error', 'a stream error without a listener', 'no such file'])
    await expect.poll(() => findLoggedError(text), { timeout: 10_000 }).toContain('reqId');
  expect(await faultyServer.isAlive()).toBe(true);
});

test('closes the connection after an error in the middle of a response, so it does not look complete', async () => {
  const faultyServer = await startFaultyServer();
  const response = await fetch(`http://127.0.0.1:${faultyServer.port}/after half an answer`, { method: 'POST' });
  await expect(response.text()).rejects.toThrow();
  expect(await faultyServer.isAlive()).toBe(true);
});

test('an error outside of any request ends the process, also while requests are in progress', async () => {
  const faultyServer = await startFaultyServer();
  const exitEvent = once(faultyServer.child, 'exit');
  await fetch(`http://127.0.0.1:${faultyServer.port}/shared`).catch(() => {});
  expect(await exitEvent).toEqual([1, null]);
});
