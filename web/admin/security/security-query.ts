import { useQueryClient } from '@tanstack/react-query';
import { query } from '../../data/api.ts';
import { errorWords } from '../../data/error-words.ts';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../session.ts';

/** Everything the Security dialog shows. */
export const securityQuery = () => query('/api/admin/security');

/** After each change the dialog shows it as the shop has it. */
export function useSecurityChange() {
  const queryClient = useQueryClient();
  const noteEnd = useSessionEnd();
  const refresh = () => queryClient.invalidateQueries({ queryKey: securityQuery().queryKey });
  /** Do it, say it, show it; or say why not. */
  const change = async (
    act: () => Promise<{ message: string }>,
    { done, failed }: { done: string; failed: string },
  ) => {
    try {
      const { message } = await act();
      toast({ title: done, description: message });
    } catch (error) {
      toast({ title: failed, description: errorWords(error), destructive: true });
      noteEnd(error);
    }
    // Also where it failed: what was on the screen may be what is no longer so.
    await refresh();
  };
  return { change, refresh };
}
