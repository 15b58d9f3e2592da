import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createZipCodeLines } from './make-zip-codes.ts';
import { createPostalCodes } from './postal-codes.ts';

const path = join(import.meta.dirname, 'zip-codes.txt');
const postalCodes = createPostalCodes(path);

test('the file has the ZIP codes of the package, which is in package.json', () => {
  expect(readFileSync(path, 'latin1')).toBe(createZipCodeLines());
});

test('finds every ZIP code of the file, and none between them', async () => {
  const lines = readFileSync(path, 'latin1').trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(41_000);
  const linesByZip = new Map(lines.map((line) => [line.slice(0, 5), line]));
  for (let code = 0; code < 100_000; code++) {
    const fiveDigits = String(code).padStart(5, '0');
    const foundPostalCode = await postalCodes.find(fiveDigits);
    expect(foundPostalCode && `${foundPostalCode.postalCode} ${foundPostalCode.state} ${foundPostalCode.city}`).toBe(
      linesByZip.get(fiveDigits),
    );
  }
});

test.each([
  ['10001', 'New York', 'NY'],
  ['00501', 'Holtsville', 'NY'],
  ['99950', 'Ketchikan', 'AK'],
  ['20001', 'Washington', 'DC'],
  ['75070', 'McKinney', 'TX'],
  ['22101', 'McLean', 'VA'],
  ['27101', 'Winston-Salem', 'NC'],
  ['83814', "Coeur D'Alene", 'ID'],
  ['62225', 'Scott Air Force Base', 'IL'],
  ['91715', 'City of Industry', 'CA'],
])('%s is in %s, %s', async (postalCode, city, state) => {
  expect(await postalCodes.find(postalCode)).toEqual({ postalCode, city, state });
});

test('reads the file at the next search if the first one could not read it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-zip-codes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const latePostalCodes = createPostalCodes(join(folder, 'zip-codes.txt'));
  await expect(latePostalCodes.find('10001')).rejects.toThrow('ENOENT');
  writeFileSync(join(folder, 'zip-codes.txt'), '10001 NY New York\n');
  expect(await latePostalCodes.find('10001')).toEqual({ postalCode: '10001', city: 'New York', state: 'NY' });
  expect(await latePostalCodes.find('00000')).toBeUndefined();
  expect(await latePostalCodes.find('99999')).toBeUndefined();
});
