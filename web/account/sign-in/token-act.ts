import { useMutation } from '@tanstack/react-query';
import { useHydrated } from '../../ui/use-hydrated.ts';

/** What one click on a mailed link's page does: once at a time, and again where it failed. */
export function useTokenAct(mutationFn: () => Promise<unknown>) {
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn });
  return { act: () => mutate(), isReady: useHydrated(), isBusy: isPending, isDone: isSuccess, error };
}
