import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { EditableContent } from '#contract/owner/content.ts';
import { send } from '../../data/api.ts';
import { uncachedQueryOptions } from '../session.ts';

/** Query options that load the value only once, because a refetch would overwrite what the owner types. */
const queryOnceOptions = {
  ...uncachedQueryOptions,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  gcTime: 0,
} as const;

/**
 * Query options to edit a section. Loads the version before the value. If someone else saves between the two requests,
 * the version is too old. Saving then reports a conflict and overwrites nothing.
 */
export const sectionEditingQuery = <T>(section: EditableContent, read: () => Promise<T>) =>
  queryOptions({
    queryKey: ['/api', 'admin', 'content', section, 'editing'],
    queryFn: async () => {
      const { versions, unreadable } = await send('GET /api/admin/content-versions');
      return { versions, isUnreadable: unreadable.includes(section), value: await read() };
    },
    ...queryOnceOptions,
  });

/** Returns a function that awaits a save, and then invalidates the public content in this browser's cache. */
export function useRefreshAfterSave() {
  const queryClient = useQueryClient();
  return async <T>(saving: Promise<T>, path: string): Promise<T> => {
    const savedVersion = await saving;
    const [first, ...rest] = path.slice(1).split('/');
    void queryClient.invalidateQueries({ queryKey: [`/${first}`, ...rest] });
    return savedVersion;
  };
}
