import { useQueryClient } from '@tanstack/react-query';
import { query } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';

/** All data of the account page. */
export const accountQuery = () => query('/api/account');

/** Runs changes of the account, and loads the account again after each one. */
export function useAccountChange() {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const refresh = () => queryClient.invalidateQueries({ queryKey: accountQuery().queryKey });
  /**
   * Runs a change, shows a message and loads the account again. If the change fails, shows the reason. Returns whether
   * the change was made.
   */
  const applyChange = async (
    act: () => Promise<{ message: string } | false>,
    { done, failed }: { done: string; failed: string },
  ): Promise<boolean> => {
    try {
      const changeResult = await act();
      if (!changeResult) return false;
      toast({ title: done, description: changeResult.message });
      await refresh();
      return true;
    } catch (error) {
      toast({ title: failed, description: errorText(error), destructive: true });
      handleSessionEnd(error);
      return false;
    }
  };
  return { change: applyChange, refresh };
}
