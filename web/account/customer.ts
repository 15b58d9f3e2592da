import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { Customer } from '#contract/accounts.ts';
import { queryOrNull, send } from '../data/api.ts';
import { errorWords } from '../data/error-words.ts';
import { paths } from '../paths.ts';
import { toast } from '../ui/toast.ts';

const fiveMinutes = 5 * 60_000;

/**
 * Who is signed in, or null; kept for five minutes. Nobody is kept for a moment only: signing in may happen in another
 * tab, or on the pages after paying.
 */
export const customerQuery = () => ({
  ...queryOrNull('/api/auth/user'),
  staleTime: ({ state }: { state: { data: Customer | null | undefined } }) => (state.data === null ? 2000 : fiveMinutes),
});

/** In a route's loader: what a page of one customer shows, asked for before it is rendered. Failures show on the page. */
export async function loadCustomer(queryClient: QueryClient): Promise<Customer | null> {
  await queryClient.prefetchQuery(customerQuery());
  return queryClient.getQueryData(customerQuery().queryKey) ?? null;
}

/** Whoever gets a session says so here, so that no page goes on asking them to sign in. */
export function rememberCustomer(queryClient: QueryClient, customer: Customer): void {
  const { queryKey } = customerQuery();
  // What was fetched belonged to a visitor, or to somebody else.
  queryClient.removeQueries({ predicate: (it) => it.queryKey[0] === '/api' });
  queryClient.setQueryData(queryKey, customer);
}

/** Sign out. The cache is cleared whatever the shop answers: nothing of the customer stays in this browser. */
export function useSignOut() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    try {
      const { message } = await send('POST /api/auth/logout');
      toast({ title: 'Logged Out', description: message });
    } catch (error) {
      toast({
        title: 'Logged Out',
        description: `${errorWords(error)} Close this browser if others use it.`,
        destructive: true,
      });
    }
    queryClient.removeQueries({ predicate: (it) => it.queryKey[0] === '/api' });
    queryClient.setQueryData(customerQuery().queryKey, null);
    await navigate({ to: paths.signIn });
  };
}

/** Go to a path of this site, as a link would. */
export function useGoTo() {
  const { history } = useRouter();
  return (path: string, { replace = false } = {}) => (replace ? history.replace(path) : history.push(path));
}
