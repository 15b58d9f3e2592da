import { beforeEach, expect, it, vi } from 'vitest';
import { upload } from './upload.ts';

/** Each request of the test. */
let sentRequests: FakeRequest[] = [];
class FakeRequest extends EventTarget {
  upload = new EventTarget();
  status = 200;
  responseText = '{}';
  isAborted = false;
  open() {}
  setRequestHeader() {}
  send() {
    sentRequests.push(this);
  }
  abort() {
    this.isAborted = true;
    this.endWith('abort');
  }
  endWith(name: string) {
    this.dispatchEvent(new Event(name));
    this.dispatchEvent(new Event('loadend'));
  }
  respondWith(status: number, body: unknown) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.endWith('load');
  }
}
let prove = async () => {};
vi.mock('./proof-of-work.ts', () => ({
  callWithProofOfWork: async (call: (headers: Record<string, string>) => Promise<unknown>) => {
    await prove();
    return call({ proof: 'x' });
  },
}));
beforeEach(() => {
  sentRequests = [];
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  return () => vi.unstubAllGlobals();
});

const startUpload = (signal: AbortSignal) => upload('POST /api/trial', new FormData(), { signal });

it('sends nothing after the page was left during the proof of work', async () => {
  const abortController = new AbortController();
  prove = async () => abortController.abort();
  const uploadPromise = startUpload(abortController.signal);
  sentRequests[0]!.respondWith(429, { code: 'proof-of-work-needed', message: '' });
  await expect(uploadPromise).rejects.toThrow(/abort/);
  expect(sentRequests).toHaveLength(1);
});

it('stops the request when the page is left, and listens no longer than the request lasts', async () => {
  const abortController = new AbortController();
  const stoppedUpload = startUpload(abortController.signal);
  abortController.abort();
  await expect(stoppedUpload).rejects.toThrow('The upload was cancelled');
  const uncancelledUpload = new AbortController();
  const completedUpload = startUpload(uncancelledUpload.signal);
  sentRequests[1]!.respondWith(200, { state: 'waiting' });
  expect(await completedUpload).toEqual({ state: 'waiting' });
  uncancelledUpload.abort();
  expect(sentRequests.map((it) => it.isAborted)).toEqual([true, false]);
});
