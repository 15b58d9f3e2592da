import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError, query, readJson, requestInit } from '../data/api.ts';
import { forgetDrafts } from './tickets/answer-drafts.ts';

/** Whether this browser is signed in to the admin panel. */
export const adminSessionQuery = () => query('/api/admin/session');

export const isSignedIn = async (queryClient: QueryClient): Promise<boolean> =>
  (await queryClient.fetchQuery({ ...adminSessionQuery(), staleTime: 0 })).isAuthenticated;

/** Exchange the key of the address for a session cookie. The shop takes it in the query, once. */
export async function takeAdminKey(adminKey: string): Promise<void> {
  const search = new URLSearchParams({ admin_key: adminKey });
  await readJson(await fetch(`/api/admin/session?${search.toString()}`, requestInit()));
}

const isOwners = (part: unknown) => part === 'admin' || part === 'analytics';

/** Nothing the panel has read, and nothing begun in it, stays in this browser. */
export function forgetAdmin(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === '/api' && isOwners(queryKey[1]) });
  queryClient.setQueryData(adminSessionQuery().queryKey, { isAuthenticated: false });
  forgetDrafts();
}

/** A session ends after half an hour without use: whoever hears of it first closes the panel. */
export function useSessionEnd() {
  const queryClient = useQueryClient();
  return (error: unknown) => {
    if (error instanceof ApiError && error.status === 401)
      queryClient.setQueryData(adminSessionQuery().queryKey, { isAuthenticated: false });
  };
}

/** For what the panel shows: asked for again whenever it is opened. */
export const fresh = { staleTime: 0, refetchOnMount: true } as const;

/** The same for what was read. */
export function useSessionEndOn(...errors: unknown[]) {
  const noteEnd = useSessionEnd();
  const error = errors.find(Boolean);
  useEffect(() => {
    if (error) noteEnd(error);
    // oxlint-disable-next-line react/exhaustive-deps -- once per failure
  }, [error]);
}
