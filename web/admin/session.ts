import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type PanelArea, canUse } from '#contract/owner/areas.ts';
import { ApiError, query, readJson, createRequestInit } from '../data/api.ts';
import { isRefusal } from '../data/error-text.ts';
import { deleteAnswerDrafts } from './tickets/answer-drafts.ts';

/** Whether this browser is signed in to the admin panel. */
export const adminSessionQuery = () => query('/api/admin/session');

/**
 * Returns a function that says whether the signed-in person's role may use an area. The panel hides what it may not.
 * The server decides again at each request.
 */
export function useMayUseArea(): (area: PanelArea) => boolean {
  const { data } = useQuery(adminSessionQuery());
  const role = data?.admin?.role;
  return (area) => role !== undefined && canUse(role, area);
}

/** Whether the signed-in person is a member of the staff, and not the owner of the settings. */
export const useIsStaff = (): boolean => useQuery(adminSessionQuery()).data?.admin?.isStaff ?? false;

export const isSignedIn = async (queryClient: QueryClient): Promise<boolean> =>
  (await queryClient.fetchQuery({ ...adminSessionQuery(), staleTime: 0 })).isAuthenticated;

/** Exchanges the admin key in the address for a session cookie. Only this request sends the key in the query. */
export async function signInWithAdminKey(adminKey: string): Promise<void> {
  const search = new URLSearchParams({ admin_key: adminKey });
  await readJson(await fetch(`/api/admin/session?${search.toString()}`, createRequestInit()));
}

const isAdminPath = (part: unknown) => part === 'admin' || part === 'analytics';

/** Removes the panel's cached data and drafts from this browser. */
export function clearAdminData(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === '/api' && isAdminPath(queryKey[1]) });
  queryClient.setQueryData(adminSessionQuery().queryKey, { isAuthenticated: false });
  deleteAnswerDrafts();
}

/**
 * Returns an error handler for requests. A session ends after half an hour without use. On a 401, the handler marks the
 * session as ended, and the panel closes.
 */
export function useSessionEnd() {
  const queryClient = useQueryClient();
  return (error: unknown) => {
    if (error instanceof ApiError && error.status === 401)
      queryClient.setQueryData(adminSessionQuery().queryKey, { isAuthenticated: false, ...readSessionEnd(error) });
  };
}

/** Why the owner has ended the session of a member of the staff, if this error says it. */
const readSessionEnd = (error: unknown) =>
  isRefusal(error, 'staff-removed')
    ? { ended: 'removed' as const }
    : isRefusal(error, 'staff-role-changed')
      ? { ended: 'role-changed' as const }
      : {};

/** Query options for data of the panel: refetch on every mount. */
export const uncachedQueryOptions = { staleTime: 0, refetchOnMount: true } as const;

/** Closes the panel if one of these query errors is a 401, which means that the session has ended. */
export function useSessionEndOn(...errors: unknown[]) {
  const handleSessionEnd = useSessionEnd();
  const error = errors.find(Boolean);
  useEffect(() => {
    if (error) handleSessionEnd(error);
    // oxlint-disable-next-line react/exhaustive-deps -- once per error
  }, [error]);
}
