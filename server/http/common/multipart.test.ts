import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import multipart from '@fastify/multipart';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { Refusal } from '#contract/refusals.ts';
import { receiveForm } from './multipart.ts';

const sizeLimitBytes = 1000;

/** Sends files of these sizes, with the field `who` in front if it is given. Returns the sizes, or the refusal. */
async function sendParts(sizes: number[], who?: string): Promise<unknown> {
  const workFolder = mkdtempSync(join(tmpdir(), 'kinframe-form-'));
  const app = fastify();
  onTestFinished(async () => {
    await app.close();
    rmSync(workFolder, { recursive: true });
  });
  await app.register(multipart);
  app.post('/', (request) =>
    receiveForm(
      request,
      {
        workFolder,
        fileFields: [],
        listField: 'photos',
        fileBytes: sizeLimitBytes,
        noForm: 'no-file',
        isAdmitted: async (fields) => fields['who'] === 'a friend',
        tooLarge: (names) => new Refusal('file-too-large', { names }),
      },
      async ({ list }) => list.map((it) => it.sizeBytes),
    ).catch((error: Refusal) => error.code),
  );
  const form = new FormData();
  if (who !== undefined) form.append('who', who);
  for (const size of sizes) form.append('photos', new Blob([new Uint8Array(size)]), 'photo.jpg');
  const formResponse = new Response(form);
  const headers = { 'content-type': formResponse.headers.get('content-type')! };
  const response = await app.inject({
    method: 'POST',
    url: '/',
    headers,
    payload: Buffer.from(await formResponse.arrayBuffer()),
  });
  return response.headers['content-type']?.toString().startsWith('application/json') ? response.json() : response.body;
}

test('accepts files of an unknown sender up to the limit of one file in total', async () => {
  expect(await sendParts([sizeLimitBytes])).toEqual([sizeLimitBytes]);
  expect(await sendParts([600, 400])).toEqual([600, 400]);
  expect(await sendParts([sizeLimitBytes - 1, sizeLimitBytes])).toBe('body-too-large');
  expect(await sendParts([600, 401])).toBe('body-too-large');
  expect(await sendParts([sizeLimitBytes + 1])).toBe('file-too-large');
});

test('accepts several files of the largest size from an admitted sender', async () => {
  expect(await sendParts([sizeLimitBytes, sizeLimitBytes, sizeLimitBytes], 'a friend')).toEqual([
    sizeLimitBytes,
    sizeLimitBytes,
    sizeLimitBytes,
  ]);
});
