import { api } from '#contract/api.ts';
import type { Operation } from '#contract/operation.ts';

/** Every call of the contract: a new one is asked all of this without a word here. */
export const calls = Object.entries(api as Record<string, Operation>).map(([route, operation]) => {
  const [method, path] = route.split(' ') as [string, string];
  return { ...operation, route, method, path };
});
export type Call = (typeof calls)[number];
