import { useQueryClient } from '@tanstack/react-query';
import type { Customer } from '#contract/accounts.ts';
import { currentToast } from '../../ui/toast.ts';
import { rememberCustomer, useGoTo } from '../customer.ts';
import { findFrameInfo, nextPageAfterSignIn } from '../next-page.ts';

const delayMs = 100;

/** In: the page asked for before, else the one the customer's frames call for. */
export function useEntrance() {
  const queryClient = useQueryClient();
  const goTo = useGoTo();
  return async (customer: Customer, returnPath?: string) => {
    // What asked to sign in, or said that it failed, is answered.
    const shown = currentToast.get();
    if (shown) currentToast.close(shown.id);
    rememberCustomer(queryClient, customer);
    const next = returnPath ?? nextPageAfterSignIn(await findFrameInfo(queryClient));
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    goTo(next);
  };
}
