import { solveChallengeWorkers } from 'altcha-lib';
import type { WorkChallenge } from '#contract/proof-of-work.ts';
import { proofOfWorkHeader } from '#contract/proof-of-work-header.ts';
import { ApiError } from './api.ts';

/** A proof of work can be refused: it has expired, or the visitor's network has changed. Then another one is needed. */
const mostProofs = 3;
const timeoutMs = 60_000;
const mostWorkers = 4;

/** Computes the proof of work that the API requires, and repeats the request with it. */
export async function callWithProofOfWork(
  call: (headers: Record<string, string>) => Promise<unknown>,
  refused: ApiError,
): Promise<unknown> {
  const hideStatus = showStatus();
  try {
    let refusal = refused;
    for (let count = 1; ; count += 1) {
      const solution = await solveChallenge(refusal.details['challenge'] as WorkChallenge);
      if (solution === undefined) throw refusal;
      try {
        return await call({ [proofOfWorkHeader]: solution });
      } catch (error) {
        const isRefused = error instanceof ApiError && error.code === 'proof-of-work-refused';
        if (!isRefused || count === mostProofs) throw error;
        refusal = error;
      }
    }
  } finally {
    hideStatus();
  }
}

/**
 * Solves the challenge in workers, so that the page stays responsive. Returns undefined without workers or after the
 * timeout.
 */
async function solveChallenge(challenge: WorkChallenge): Promise<string | undefined> {
  if (typeof Worker === 'undefined' || !globalThis.crypto?.subtle) return undefined;
  try {
    const solution = await solveChallengeWorkers({
      challenge,
      concurrency: Math.min(navigator.hardwareConcurrency || 1, mostWorkers),
      createWorker: () => new Worker(new URL('./proof-of-work-worker.ts', import.meta.url), { type: 'module' }),
      timeout: timeoutMs,
    });
    return solution ? btoa(JSON.stringify({ challenge, solution })) : undefined;
  } catch {
    return undefined; // the worker did not load, or the browser has no module workers: the page shows the refusal
  }
}

/**
 * Shows a message while the browser computes. The element is outside React's tree, so that pages load no code for a
 * message that few visitors see. The text is set after the element is in the page, because screen readers announce only
 * changes of a status element.
 */
function showStatus(): () => void {
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  status.className =
    'pointer-events-none fixed inset-x-0 bottom-6 z-60 mx-auto w-fit rounded-full border border-hair bg-card px-6 py-3 font-semibold text-ink shadow-lifted empty:hidden';
  document.body.append(status);
  const timer = setTimeout(() => (status.textContent = 'Checking your browser…'), 100);
  return () => {
    clearTimeout(timer);
    status.remove();
  };
}
