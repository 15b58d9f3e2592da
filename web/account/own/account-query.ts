import { useQueryClient } from '@tanstack/react-query';
import { query } from '../../data/api.ts';
import { errorWords } from '../../data/error-words.ts';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';

/** Everything the account page shows. */
export const accountQuery = () => query('/api/account');

/** After each change of the account the page shows it as the shop has it. */
export function useAccountChange() {
  const queryClient = useQueryClient();
  const noteEnd = useSessionEnd();
  const refresh = () => queryClient.invalidateQueries({ queryKey: accountQuery().queryKey });
  /** Do it, say it, show it; or say why not. Answers whether it was done. */
  const change = async (
    act: () => Promise<{ message: string } | false>,
    { done, failed }: { done: string; failed: string },
  ): Promise<boolean> => {
    try {
      const answer = await act();
      if (!answer) return false;
      toast({ title: done, description: answer.message });
      await refresh();
      return true;
    } catch (error) {
      toast({ title: failed, description: errorWords(error), destructive: true });
      noteEnd(error);
      return false;
    }
  };
  return { change, refresh };
}
