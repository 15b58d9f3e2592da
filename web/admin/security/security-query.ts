import { useQueryClient } from '@tanstack/react-query';
import { query } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../session.ts';

/** The data of the Security dialog. */
export const securityQuery = () => query('/api/admin/security');

/** Runs changes of the Security dialog, and refetches its data after each one. */
export function useSecurityChange() {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const refresh = () => queryClient.invalidateQueries({ queryKey: securityQuery().queryKey });
  /** Runs a change, shows a toast with the result, and refetches the data. */
  const applyChange = async (
    act: () => Promise<{ message: string }>,
    {
      done,
      failed,
      isCancelled,
    }: { done: string; failed: string; /** If true: no toast. */ isCancelled?: (error: unknown) => boolean },
  ) => {
    try {
      const { message } = await act();
      toast({ title: done, description: message });
    } catch (error) {
      if (isCancelled?.(error)) return;
      toast({ title: failed, description: errorText(error), destructive: true });
      handleSessionEnd(error);
    }
    // Refetch after a failure too, because the data on the screen may be outdated.
    await refresh();
  };
  return { change: applyChange, refresh };
}
