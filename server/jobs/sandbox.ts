import type { Shop } from '../shop.ts';

/** Runs the embedded provider: completes delayed payments and delivers webhooks. Returns the function that stops it. */
export function startSandbox({ sandbox, log }: Shop): () => Promise<void> {
  if (!sandbox) return async () => {};
  let tickPromise: Promise<void> | undefined;
  const timer = setInterval(() => {
    tickPromise ??= sandbox
      .runDueTasks()
      .catch((error: unknown) => log.error({ err: error }, 'payment sandbox'))
      .finally(() => (tickPromise = undefined));
  }, 1000);
  return async () => {
    clearInterval(timer);
    await tickPromise;
  };
}
