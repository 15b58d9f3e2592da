import { useQueryClient } from '@tanstack/react-query';
import type { Customer } from '#contract/accounts.ts';
import { currentToast } from '../../ui/toast.ts';
import { rememberCustomer, useGoTo } from '../customer.ts';
import { findFrameInfo, findNextPageAfterSignIn } from '../next-page.ts';

const delayMs = 100;

/** Call the returned function after a sign-in. It opens the remembered page, or the page for the customer's frames. */
export function useOpenAfterSignIn() {
  const queryClient = useQueryClient();
  const goTo = useGoTo();
  return async (customer: Customer, returnPath?: string) => {
    // Close a toast that asked to sign in, or that reported a failed attempt.
    const shownToast = currentToast.get();
    if (shownToast) currentToast.close(shownToast.id);
    rememberCustomer(queryClient, customer);
    const nextPath = returnPath ?? findNextPageAfterSignIn(await findFrameInfo(queryClient));
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    goTo(nextPath);
  };
}
