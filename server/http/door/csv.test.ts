import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sendCsv, type Column } from './csv.ts';

type Row = { name: string; cents: number };
const columns: Column<Row>[] = [
  ['Name', (it) => it.name],
  ['Cents', (it) => it.cents],
  ['Is dear', (it) => it.cents > 100],
  ['Nothing', () => null],
];

async function sent(pages: AsyncGenerator<Row[], void>, onBegin = async () => {}) {
  const app = fastify();
  app.get('/', (_request, reply) => sendCsv(reply, { name: 'things.csv', columns, pages, onBegin }));
  onTestFinished(() => app.close());
  return app;
}
async function* pagesOf(...pages: Row[][]) {
  yield* pages;
}
const textOf = async (...names: string[]) => {
  const app = await sent(pagesOf(names.map((name) => ({ name, cents: 5 }))));
  return (await app.inject('/')).body;
};

test('is UTF-8 with its mark, a heading, and a line a row, ended as spreadsheets end them', async () => {
  const app = await sent(pagesOf([{ name: 'José', cents: 5 }], [{ name: 'Zoë', cents: 500 }]));
  const answer = await app.inject('/');
  expect(answer.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  expect(answer.body.slice(1)).toBe('Name,Cents,Is dear,Nothing\r\nJosé,5,no,\r\nZoë,500,yes,\r\n');
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="things.csv"; filename*=UTF-8\'\'things.csv',
    'cache-control': 'private, no-store',
  });
});

test('a list without rows has its heading', async () => {
  expect((await (await sent(pagesOf())).inject('/')).body.slice(1)).toBe('Name,Cents,Is dear,Nothing\r\n');
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
])('%j is written as %j', async (name, written) => {
  expect(await textOf(name)).toContain(`\r\n${written},5,no,\r\n`);
});

/** A machine that has other things to do takes its time. */
const patience = 30_000;
test('no more is read than its reader takes, and nothing once they are gone', async () => {
  let read = 0;
  const ended = vi.fn();
  async function* endless() {
    try {
      for (;;) {
        read++;
        yield Array.from({ length: 1000 }, () => ({ name: 'x'.repeat(200), cents: 1 }));
        await new Promise(setImmediate);
      }
    } finally {
      ended();
    }
  }
  const app = await sent(endless());
  await app.listen();
  const { port } = app.server.address() as AddressInfo;
  const asking = request({ port }).end();
  const [answer] = await once(asking, 'response');
  await once(answer, 'readable');
  // What waits in sockets on the way is some megabytes, a page two hundred kilobytes.
  let before = -1;
  await vi.waitFor(() => {
    const now = read;
    const isStill = now === before;
    before = now;
    expect(isStill).toBe(true);
  }, patience);
  expect(read).toBeLessThan(100);
  asking.destroy();
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), patience);
  const atTheEnd = read;
  expect(atTheEnd).toBeLessThan(100);
});

test('whoever cannot be answered is told so, and nothing is written down', async () => {
  const onBegin = vi.fn();
  async function* refused(): AsyncGenerator<Row[], void> {
    yield await Promise.reject(new Error('no such page'));
  }
  const answer = await (await sent(refused(), onBegin)).inject('/');
  expect(answer.statusCode).toBe(500);
  expect(onBegin).not.toHaveBeenCalled();
});
