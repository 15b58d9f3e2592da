import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Editable } from '#contract/owner/content.ts';
import { send } from '../../data/api.ts';
import { fresh } from '../session.ts';

/** Read once while it is edited: what is typed must not be written over. */
const once = { ...fresh, refetchOnWindowFocus: false, refetchOnReconnect: false, gcTime: 0 } as const;

/** The version before what it is of: saved in between, a section is taken for changed, never written over. */
export const editing = <T>(section: Editable, read: () => Promise<T>) =>
  queryOptions({
    queryKey: ['/api', 'admin', 'content', section, 'editing'],
    queryFn: async () => {
      const { versions, unreadable } = await send('GET /api/admin/content-versions');
      return { versions, isUnreadable: unreadable.includes(section), value: await read() };
    },
    ...once,
  });

/** This browser's own copy of the public content is read anew, too. */
export function usePublished() {
  const queryClient = useQueryClient();
  return async <T>(saving: Promise<T>, path: string): Promise<T> => {
    const saved = await saving;
    const [first, ...rest] = path.slice(1).split('/');
    void queryClient.invalidateQueries({ queryKey: [`/${first}`, ...rest] });
    return saved;
  };
}
