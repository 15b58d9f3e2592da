import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useCallback, useEffect, useRef } from 'react';
import type { Customer } from '#contract/accounts.ts';
import { send } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { expectToasts, toast } from '../ui/toast.ts';
import { showSignInNotice } from './sign-in-notice.ts';
import { ConfirmEmailNotice } from './confirm-email-notice.tsx';
import { customerQuery, rememberCustomer, useGoTo } from './customer.ts';
import { LoadProblem } from './load-problem.tsx';
import { rememberReturnPath } from './return-path.ts';

/** A function to call before a sign-out. Without it, the page would ask the signed-out customer to sign in again. */
const SignOutContext = createContext<() => void>(() => {});
export const useBeforeSignOut = () => use(SignOutContext);

/**
 * A page for the signed-in customer. All other visitors are redirected to the sign-in page, with a notice. After the
 * sign-in, they return to this page.
 */
export function SignedIn({ skeleton, children }: { skeleton: ReactNode; children: (customer: Customer) => ReactNode }) {
  const { data: customer, error, refetch } = useQuery(customerQuery());
  const { href } = useLocation();
  const goTo = useGoTo();
  const isLeaving = useRef(false);
  const markAsLeaving = useCallback(() => {
    isLeaving.current = true;
  }, []);
  useEffect(expectToasts, []);
  useEffect(() => {
    if (customer !== null || isLeaving.current) return;
    showSignInNotice();
    rememberReturnPath(href);
    goTo(paths.signIn, { replace: true });
    // oxlint-disable-next-line react/exhaustive-deps -- redirects once, with the address that was requested
  }, [customer]);

  if (error) return <LoadProblem title="We couldn’t check your sign-in" error={error} onRetry={() => void refetch()} />;
  return (
    <SignOutContext value={markAsLeaving}>
      {customer && <ConfirmEmailNotice customer={customer} />}
      {customer ? children(customer) : skeleton}
    </SignOutContext>
  );
}

/** Signs out. Clears the customer's cached data even if the request fails. */
export function useSignOut() {
  const queryClient = useQueryClient();
  const runBeforeSignOut = useBeforeSignOut();
  const goTo = useGoTo();
  return async () => {
    runBeforeSignOut();
    try {
      const { message } = await send('POST /api/auth/logout');
      toast({ title: 'Logged Out', description: message });
    } catch (error) {
      const failureText = `${errorText(error)} If other people use this browser, please close it.`;
      toast({ title: 'Logged Out', description: failureText, destructive: true });
    }
    rememberCustomer(queryClient, null);
    goTo(paths.signIn);
  };
}
