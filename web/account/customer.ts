import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { Customer } from '#contract/accounts.ts';
import { ApiError, queryOrNull } from '../data/api.ts';
import { forgetCustomersFiles } from '../sending/kept-files.ts';

const fiveMinutes = 5 * 60_000;

/**
 * Who is signed in, or null; kept for five minutes. Nobody is kept for a moment only: signing in may happen in another
 * tab, or on the pages after paying.
 */
export const customerQuery = () => ({
  ...queryOrNull('/api/auth/user'),
  staleTime: ({ state }: { state: { data: Customer | null | undefined } }) =>
    state.data === null ? 2000 : fiveMinutes,
});

/** In a route's loader: who is signed in, asked before the page is rendered. A failure shows on the page. */
export async function loadCustomer(queryClient: QueryClient): Promise<Customer | null> {
  await queryClient.prefetchQuery(customerQuery());
  return queryClient.getQueryData(customerQuery().queryKey) ?? null;
}

/** Whoever gets a session, or gives it back, says so here, so that no page goes on asking them to sign in. */
export function rememberCustomer(queryClient: QueryClient, customer: Customer | null): void {
  // What was fetched until now belonged to a visitor, or to somebody else.
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === '/api' });
  queryClient.setQueryData(customerQuery().queryKey, customer);
  if (customer === null) void forgetCustomersFiles();
}

/** A session ends, here or in another tab: whichever call hears of it first says so, and the page asks to sign in again. */
export function useSessionEnd() {
  const queryClient = useQueryClient();
  return (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) queryClient.setQueryData(customerQuery().queryKey, null);
  };
}

/** Go to a path of this site, as a link would: to where we are already, without another step to go back. */
export function useGoTo() {
  const { history } = useRouter();
  return (path: string, { replace = history.location.href === path } = {}) =>
    replace ? history.replace(path) : history.push(path);
}
