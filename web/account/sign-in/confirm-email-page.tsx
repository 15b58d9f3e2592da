import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LoaderCircle } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { send } from '../../data/api.ts';
import { errorWords, isRefusal } from '../../data/error-words.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { AuthLayout } from './auth-layout.tsx';

const invalidWords =
  'This confirmation link is invalid or has expired. If your email is confirmed already, all is well.';

/** /auth/confirm-email: opening the mailed link confirms the address, and guest orders of it join the account. */
export function ConfirmEmailPage({ token }: { token: string | undefined }) {
  const queryClient = useQueryClient();
  const { mutate, status, error } = useMutation({
    mutationFn: (mailed: string) => send('POST /api/auth/confirm-email', { body: { token: mailed } }),
    // The account may own more now than what was fetched before.
    onSuccess: () => queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === '/api' }),
  });
  const asked = useRef(false);
  useEffect(() => {
    if (!token || asked.current) return;
    asked.current = true; // the link works once: a second call would find it used
    mutate(token);
  }, [token, mutate]);

  if (token && status === 'success') {
    return (
      <AuthLayout
        title="Thank you"
        lede="Your email address is confirmed. Orders you made with it are in your account."
      >
        <LinkButton to={paths.upload} wide size="large">
          Continue to My Photos
        </LinkButton>
      </AuthLayout>
    );
  }
  if (token && status !== 'error') {
    return (
      <AuthLayout title="One moment">
        <p role="status" className="flex items-center justify-center gap-3">
          <LoaderCircle aria-hidden className="size-5 animate-spin text-accent" />
          We are confirming your email address.
        </p>
      </AuthLayout>
    );
  }
  const isInvalid = !token || isRefusal(error, 'confirmation-link-invalid') || isRefusal(error, 'invalid-request');
  return (
    <AuthLayout title="That did not work" lede={isInvalid ? invalidWords : errorWords(error)}>
      {!isInvalid && (
        <Button wide size="large" onClick={() => mutate(token)} className="mb-3">
          Try Again
        </Button>
      )}
      <LinkButton to={paths.signIn} look={isInvalid ? 'primary' : 'secondary'} wide size="large">
        Go to Sign In
      </LinkButton>
      <LinkButton to={paths.support} look="quiet" wide className="mt-3">
        Contact support
      </LinkButton>
    </AuthLayout>
  );
}
