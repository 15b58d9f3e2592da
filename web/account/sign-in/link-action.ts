import { useMutation } from '@tanstack/react-query';
import { useHydrated } from '../../ui/use-hydrated.ts';

/** The action of the button on a page that an emailed link opens. After a failure the action can be retried. */
export function useLinkAction(mutationFn: () => Promise<unknown>, onError?: (error: unknown) => void) {
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn, ...(onError && { onError }) });
  return { act: () => mutate(), isReady: useHydrated(), isBusy: isPending, isDone: isSuccess, error };
}
