import fastify from 'fastify';
import { readXlsx } from 'hucre/xlsx';
import { expect, onTestFinished, test } from 'vitest';
import type { Column } from './sheet.ts';
import { sendXlsx } from './xlsx.ts';

interface Row {
  zip: string | null;
  name: string;
  cents: number | null;
  at: Date | null;
  day: string | null;
  rate: string | null;
  isGift: boolean;
}
const columns: Column<Row>[] = [
  ['ZIP', (it) => it.zip, 'code'],
  ['Name', (it) => it.name],
  ['Total (USD)', (it) => it.cents, 'dollars'],
  ['Ordered', (it) => it.at, 'moment'],
  ['Not before', (it) => it.day, 'day'],
  ['Tax rate (%)', (it) => it.rate, 'number'],
  ['Gift', (it) => it.isGift],
];
const row: Row = {
  zip: '02138',
  name: 'José',
  cents: 20_899,
  at: new Date('2026-12-25T01:00:00Z'),
  day: '2026-12-20',
  rate: '8.875',
  isGift: true,
};

async function downloadRows(...pages: Row[][]) {
  const app = fastify();
  onTestFinished(() => app.close());
  async function* generateRows() {
    yield* pages;
  }
  app.get('/', (_request, reply) =>
    sendXlsx(reply, { name: 'orders', columns, pages: generateRows(), onBegin: async () => {} }),
  );
  return app.inject('/');
}
const readRowsOf = async (...pages: Row[][]) => {
  const { sheets } = await readXlsx((await downloadRows(...pages)).rawPayload);
  expect(sheets).toHaveLength(1);
  return sheets[0]!.rows;
};

test('sends a private workbook with the name of the list', async () => {
  expect((await downloadRows([row])).headers).toMatchObject({
    'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'content-disposition': 'attachment; filename="orders.xlsx"; filename*=UTF-8\'\'orders.xlsx',
    'cache-control': 'private, no-store',
  });
});

test('writes codes as text, amounts as numbers and dates as dates, and times in the shop’s time zone', async () => {
  const [heading, ...rows] = await readRowsOf([row], [{ ...row, cents: -5 }]);
  expect(heading).toEqual(columns.map(([name]) => name));
  const expectedMoment = new Date('2026-12-24T20:00:00Z');
  const day = new Date('2026-12-20T00:00:00Z');
  expect(rows).toEqual([
    ['02138', 'José', 208.99, expectedMoment, day, 8.875, 'yes'],
    ['02138', 'José', -0.05, expectedMoment, day, 8.875, 'yes'],
  ]);
});

test.each(['+1 503 555 0100', '02138', '1E5', '2026-12-24', 'TRUE', '00:12', '9400111899223100000000'])(
  'writes the code %s unchanged as text',
  async (zip) => {
    expect((await readRowsOf([{ ...row, zip }]))[1]![0]).toBe(zip);
  },
);

test.each([
  '=HYPERLINK("http://evil.example","click")',
  '+49 30 1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  ' led and trailed ',
  'two\nlines',
  '<b>&amp;"\'',
  '_x0041_',
  'ring \u0007 it',
  '👨\u200d👩\u200d👧',
])('writes the text %j unchanged and not as a formula', async (name) => {
  const { sheets } = await readXlsx((await downloadRows([{ ...row, name }])).rawPayload);
  expect(sheets[0]!.rows[1]![1]).toBe(name);
  expect(Array.from(sheets[0]!.cells ?? []).filter(([, it]) => it.formula !== undefined)).toEqual([]);
});

test('writes an empty cell for a missing value, and the heading of a list without rows', async () => {
  const emptyRow = { ...row, zip: null, name: '', cents: null, at: null, day: null, rate: null };
  const [heading, only] = await readRowsOf([emptyRow]);
  expect(heading).toHaveLength(columns.length);
  expect(only!.slice(0, 6)).toEqual(Array(6).fill(null));
  expect(await readRowsOf()).toHaveLength(1);
});
