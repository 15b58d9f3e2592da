import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { Customer } from '#contract/accounts.ts';
import { ApiError, queryOrNullOn401 } from '../data/api.ts';
import { isLeavingPanel } from '../leaves-panel.ts';
import { deleteStoredFilesOfCustomers } from '../sending/stored-files.ts';

const customerStaleMs = 5 * 60_000;

/**
 * The signed-in customer, or null. A customer is cached for five minutes. Null is cached for two seconds only, because
 * the visitor may sign in in another tab, or on the pages after the payment.
 */
export const customerQuery = () => ({
  ...queryOrNullOn401('/api/auth/user'),
  staleTime: ({ state }: { state: { data: Customer | null | undefined } }) =>
    state.data === null ? 2000 : customerStaleMs,
});

/**
 * For route loaders: fetches the signed-in customer before the page renders. If that fails, the page shows the error.
 */
export async function loadCustomer(queryClient: QueryClient): Promise<Customer | null> {
  await queryClient.prefetchQuery(customerQuery());
  return queryClient.getQueryData(customerQuery().queryKey) ?? null;
}

/** Call this after every sign-in and sign-out, so that no page uses an outdated customer. */
export function rememberCustomer(queryClient: QueryClient, customer: Customer | null): void {
  // The cached data belongs to a visitor without an account, or to another customer.
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === '/api' });
  queryClient.setQueryData(customerQuery().queryKey, customer);
  if (customer === null) void deleteStoredFilesOfCustomers();
}

/**
 * Returns an error handler for requests. A 401 means that the session has ended, for example by a sign-out in another
 * tab. The handler then removes the cached customer, and the page asks to sign in again.
 */
export function useSessionEnd() {
  const queryClient = useQueryClient();
  return (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) queryClient.setQueryData(customerQuery().queryKey, null);
  };
}

/** Returns a function that opens a path of this site. Adds no history entry if it is the current address. */
export function useGoTo() {
  const { history } = useRouter();
  return (path: string, { replace = history.location.href === path } = {}) => {
    if (isLeavingPanel(history.location.pathname, path)) window.location.assign(path);
    else if (replace) history.replace(path);
    else history.push(path);
  };
}
