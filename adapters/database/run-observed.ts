import type { ObserveStatement } from './database.ts';

/** Runs a statement, and reports its start and its end to the observer. */
export function runObserved<Result>(
  observe: ObserveStatement | undefined,
  text: string,
  params: unknown[],
  run: () => Promise<Result>,
): Promise<Result> {
  const onEnd = observe?.(text, params);
  const result = run();
  if (onEnd) result.then(() => onEnd(), onEnd);
  return result;
}
