import { api } from '#contract/api.ts';
import type { Operation } from '#contract/operation.ts';

/** Every operation of the contract. Tests that use this list automatically include new operations. */
export const apiOperationList = Object.entries(api as Record<string, Operation>).map(([route, operation]) => {
  const [method, path] = route.split(' ') as [string, string];
  return { ...operation, route, method, path };
});
export type ApiOperation = (typeof apiOperationList)[number];
