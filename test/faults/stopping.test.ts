import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { listDescendants } from '#adapters/processes/process-table.ts';
import { build } from '../../scripts/build.ts';
import { createDatabase, describeOnPostgres, openPool } from '../database.ts';
import { buyFramesAsAnna, createPhotoForm, createSmallPhoto, uploadTo } from '../people.ts';
import { baseUrl, type Browser, type TestShop } from '../shop.ts';
import { RunningShop } from './running-shop.ts';

const waitOptions = { timeout: 120_000, interval: 50 };

describeOnPostgres(() => {
  beforeAll(() => build(), 600_000);

  test('a shop stopped during eight uploads answers them all, closes idle connections and exits with 0', async () => {
    const { shop, anna, deviceId, dataDir } = await openShop({ STOP_SECONDS: '100' });
    const agent = keepAliveAgent();
    const idleRequest = beginRequest(shop, '/health/live', 'GET', {}, agent);
    idleRequest.end();
    const [answer] = (await once(idleRequest, 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');

    const uploads = await Promise.all(Array.from({ length: 8 }, () => sendHalfAnUpload(shop, anna, deviceId)));
    await vi.waitFor(() => expect(countReceivedUploads(dataDir)).toBe(8), waitOptions);
    const stoppedAt = performance.now();
    const shutdownPromise = shop.end('SIGTERM');
    await vi.waitFor(() => expect(shop.output).toContain('"stopping"'), waitOptions);
    const responses = await Promise.all(uploads.map((it) => it.finish()));
    expect(responses.map((it) => [it.status, it.connection])).toEqual(responses.map(() => [200, 'close']));
    expect(await shutdownPromise).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(100_000); // the idle keep-alive connection did not delay the exit
    expect(shop.output).not.toContain('took too long');
  });

  test('while it begins to stop, the shop answers a request on a connection that a proxy has kept open', async () => {
    const { shop } = await openShop();
    const keptAliveAgent = keepAliveAgent();
    const sendRequest = (by = keptAliveAgent) => {
      const resetRequest = beginRequest(
        shop,
        '/api/auth/forgot-password',
        'POST',
        { 'content-type': 'application/json' },
        by,
      );
      resetRequest.end(JSON.stringify({ email: 'anna@example.com' }));
      return awaitResponse(resetRequest);
    };
    expect(await sendRequest()).toEqual({ status: 200, connection: 'keep-alive' });
    const shutdownPromise = shop.end('SIGTERM');
    // The shop refuses new connections, so that a proxy connects to another process.
    const expectConnectionRefused = () => expect(sendRequest(keepAliveAgent())).rejects.toThrow('ECONNREFUSED');
    await vi.waitFor(expectConnectionRefused, { timeout: 10_000, interval: 20 });
    expect(await sendRequest()).toEqual({ status: 200, connection: 'close' });
    expect(await shutdownPromise).toBe(0);
  });

  test('the shop answers connections that wait to be accepted when it begins to stop', async () => {
    const { shop } = await openShop();
    shop.child.kill('SIGSTOP'); // the connections arrive while the process is paused
    const responses = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const probe = beginRequest(shop, '/health/live', 'GET', {}, keepAliveAgent());
        const statusOrErrorPromise = awaitResponse(probe).then(
          (it) => it.status,
          (error: Error) => error.message,
        );
        probe.end();
        const [socket] = (await once(probe, 'socket')) as [Socket];
        if (socket.connecting) await once(socket, 'connect');
        return { answer: statusOrErrorPromise };
      }),
    );
    const shutdownPromise = shop.end('SIGTERM');
    shop.child.kill('SIGCONT');
    expect(await Promise.all(responses.map((it) => it.answer))).toEqual(responses.map(() => 200));
    expect(await shutdownPromise).toBe(0);
  });

  test('a client that stops sending does not block the shutdown, and other requests are answered', async () => {
    // The time is long enough for the second upload, even on a busy machine.
    const { shop, anna, deviceId, dataDir } = await openShop({ STOP_SECONDS: '20' });
    const stalledUpload = await sendHalfAnUpload(shop, anna, deviceId);
    const halfUpload = await sendHalfAnUpload(shop, anna, deviceId);
    await vi.waitFor(() => expect(countReceivedUploads(dataDir)).toBe(2), waitOptions);
    const uploadFailure = expect(stalledUpload.answer).rejects.toThrow();
    const shutdownPromise = shop.end('SIGTERM');
    expect((await halfUpload.finish()).status).toBe(200);
    expect(await shutdownPromise).toBe(0);
    expect(shop.output).not.toContain('took too long');
    await uploadFailure;
  });

  test('a worker stopped during a render returns the job with all attempts, and leaves no child process', async () => {
    const { shop, worker, direct, isRendering } = await startRenderingWorker();
    await vi.waitFor(async () => {
      expect(await isRendering()).toBe(true);
      expect(listDescendants(worker.child.pid!).length).toBeGreaterThan(0);
    }, waitOptions);
    const children = listDescendants(worker.child.pid!);
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(worker.output).not.toContain('took too long');
    expect(children.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    expect(await readRenderJobs(direct)).toEqual([{ state: 'created', tries: 0 }]);
    expect(await shop.end('SIGTERM')).toBe(0);
  });

  test('a worker stopped when it takes its first job, before its server listens, returns the job', async () => {
    const { worker, direct, isRendering } = await startRenderingWorker();
    while (!(await isRendering()));
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(await readRenderJobs(direct)).toEqual([{ state: 'created', tries: 0 }]);
  });
});

async function openShop(env: Record<string, string> = {}) {
  const url = (await createDatabase()).href;
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-stopping-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const shop = await RunningShop.start(dataDir, { DATABASE_URL: url, RATE_LIMITS: 'off', ...env });
  onTestFinished(() => void shop.end('SIGKILL'));
  await shop.waitUntilReady();
  const { browser: anna, frames } = await buyFramesAsAnna({ browser: () => shop.browser() } as unknown as TestShop);
  return { shop, anna, deviceId: frames[0]!.deviceId, dataDir, url };
}

/** A shop with a video to render, and a worker that has just started and will take the job. */
async function startRenderingWorker() {
  const { shop, anna, deviceId, dataDir, url } = await openShop({ ROLE: 'web' });
  expect((await uploadTo(anna, deviceId)).status).toBe(200);
  expect((await anna.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
  const directPool = openPool(url);
  const worker = await RunningShop.start(dataDir, { DATABASE_URL: url, ROLE: 'worker', STOP_SECONDS: '60' });
  onTestFinished(() => void worker.end('SIGKILL'));
  const isRendering = async () =>
    (await directPool.query(`select 1 from videos where state = 'rendering'`)).rows.length === 1;
  return { shop, worker, direct: directPool, isRendering };
}

async function readRenderJobs(database: pg.Pool) {
  const { rows } = await database.query(
    `select state, retry_count as tries from jobs.job where name = 'render-video' and state <> 'completed'`,
  );
  return rows;
}

/** Returns how many uploads the shop has begun to receive. */
const countReceivedUploads = (dataDir: string) =>
  readdirSync(join(dataDir, 'work')).filter((it) => existsSync(join(dataDir, 'work', it, 'file-0'))).length;

function keepAliveAgent(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
}

function beginRequest(shop: RunningShop, path: string, method: string, headers: Record<string, string>, agent: Agent) {
  return request(shop.origin + path, { method, agent, headers: { origin: baseUrl, ...headers } });
}

/** Sends a photo without its last bytes, on a separate keep-alive connection. */
async function sendHalfAnUpload(shop: RunningShop, browser: Browser, deviceId: string) {
  const form = new Response(createPhotoForm(deviceId, await createSmallPhoto()));
  const bytes = Buffer.from(await form.arrayBuffer());
  const headers = {
    'x-user-id': 'demo-user',
    'content-type': form.headers.get('content-type')!,
    'content-length': String(bytes.length),
    cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  };
  const uploadRequest = beginRequest(shop, '/api/upload', 'POST', headers, keepAliveAgent());
  const answer = awaitResponse(uploadRequest);
  answer.catch(() => {}); // the caller handles it
  uploadRequest.write(bytes.subarray(0, -100));
  return {
    answer,
    finish: () => {
      uploadRequest.end(bytes.subarray(-100));
      return answer;
    },
  };
}

async function awaitResponse(sending: ClientRequest) {
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
  return { status: answer.statusCode, connection: answer.headers.connection };
}
