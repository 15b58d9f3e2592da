import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sendCsv } from './csv.ts';
import type { Column } from './sheet.ts';
import { sendXlsx } from './xlsx.ts';

type Row = { name: string; cents: number };
const columns: Column<Row>[] = [
  ['Name', (it) => it.name],
  ['Cents', (it) => it.cents],
  ['Is dear', (it) => it.cents > 100],
  ['Nothing', () => null],
];

async function createSheetApp(pages: AsyncGenerator<Row[], void>, onBegin = async () => {}, send = sendCsv) {
  const app = fastify();
  app.get('/', (_request, reply) => send(reply, { name: 'things', columns, pages, onBegin }));
  onTestFinished(() => app.close());
  return app;
}
async function* yieldPages(...pages: Row[][]) {
  yield* pages;
}
const readCsvText = async (...names: string[]) => {
  const app = await createSheetApp(yieldPages(names.map((name) => ({ name, cents: 5 }))));
  return (await app.inject('/')).body;
};

test('writes UTF-8 with a byte order mark, a heading, and a line per row with CRLF at its end', async () => {
  const app = await createSheetApp(yieldPages([{ name: 'José', cents: 5 }], [{ name: 'Zoë', cents: 500 }]));
  const response = await app.inject('/');
  expect(response.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  expect(response.body.slice(1)).toBe('Name,Cents,Is dear,Nothing\r\nJosé,5,no,\r\nZoë,500,yes,\r\n');
  expect(response.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="things.csv"; filename*=UTF-8\'\'things.csv',
    'cache-control': 'private, no-store',
  });
});

test('writes the heading of a list without rows', async () => {
  expect((await (await createSheetApp(yieldPages())).inject('/')).body.slice(1)).toBe('Name,Cents,Is dear,Nothing\r\n');
});

test.each([
  ['a, b', '"a, b"'],
  ['the "swing"', '"the ""swing"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("http://evil.example","click")', '"\'=HYPERLINK(""http://evil.example"",""click"")"'],
  ['+49 30 1', "'+49 30 1"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['a=1', 'a=1'],
])('writes the cell %j as %j', async (name, written) => {
  expect(await readCsvText(name)).toContain(`\r\n${written},5,no,\r\n`);
});

/** How many milliseconds to wait for a result, because a busy machine is slow. */
const timeoutMs = 30_000;
test.each([
  ['CSV', sendCsv],
  ['a workbook', sendXlsx],
])('for %s reads rows only as the client receives them, and none after it disconnects', async (_name, send) => {
  let read = 0;
  const onEnd = vi.fn();
  async function* generateEndlessRows() {
    try {
      for (;;) {
        read++;
        // Random names, because compression would make others small.
        yield Array.from({ length: 1000 }, () => ({ name: randomBytes(100).toString('hex'), cents: 1 }));
        await new Promise(setImmediate);
      }
    } finally {
      onEnd();
    }
  }
  const app = await createSheetApp(generateEndlessRows(), undefined, send);
  await app.listen();
  const { port } = app.server.address() as AddressInfo;
  const csvRequest = request({ port }).end();
  const [answer] = await once(csvRequest, 'response');
  await once(answer, 'readable');
  // The sockets between server and client buffer some megabytes, and a page of rows has two hundred kilobytes. Wait
  // until the buffers are full and no more pages are read.
  let before = -1;
  await vi.waitFor(() => {
    const readCount = read;
    const hasStoppedReading = readCount === before;
    before = readCount;
    expect(hasStoppedReading).toBe(true);
  }, timeoutMs);
  expect(read).toBeLessThan(100);
  csvRequest.destroy();
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce(), timeoutMs);
  const rowsReadAtEnd = read;
  expect(rowsReadAtEnd).toBeLessThan(100);
});

test.each([sendCsv, sendXlsx])('answers 500 and records nothing if the first page cannot be read', async (send) => {
  const onBegin = vi.fn();
  async function* throwInsteadOfRows(): AsyncGenerator<Row[], void> {
    yield await Promise.reject(new Error('no such page'));
  }
  const answer = await (await createSheetApp(throwInsteadOfRows(), onBegin, send)).inject('/');
  expect(answer.statusCode).toBe(500);
  expect(onBegin).not.toHaveBeenCalled();
});
