import { useQueryClient } from '@tanstack/react-query';
import { refusals } from '#contract/refusals.ts';
import { send } from '../../data/api.ts';
import { errorWords, isRefusal } from '../../data/error-words.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { useTokenAct } from './token-act.ts';

/** /auth/change-email: the mailed link's one button takes the new address. */
export function ChangeEmailPage({ token }: { token: string | undefined }) {
  const queryClient = useQueryClient();
  const { act, isReady, isBusy, isDone, error } = useTokenAct(async () => {
    await send('POST /api/auth/change-email', { body: { token: token ?? '' } });
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === '/api' });
  });
  if (isDone)
    return (
      <AuthLayout title="Thank you" lede="Your account goes by this address now. We have told the old one.">
        <LinkButton to={paths.account} wide size="large">
          Go to Your Account
        </LinkButton>
      </AuthLayout>
    );
  if (isRefusal(error, 'email-change-link-invalid') || isRefusal(error, 'invalid-request'))
    return (
      <AuthLayout title="That link is over" lede={refusals['email-change-link-invalid'].words}>
        <LinkButton to={paths.account} wide size="large">
          Go to Your Account
        </LinkButton>
      </AuthLayout>
    );
  return (
    <AuthLayout title="Your new address" lede="From now on you sign in with it, and we write to you there.">
      {error !== null && (
        <p role="alert" className="mb-6 rounded-lg bg-bad-soft p-4 font-medium text-bad">
          {errorWords(error)}
        </p>
      )}
      <Button wide size="large" disabled={!isReady} busy={isBusy} busyWords="One moment..." onClick={act}>
        Confirm New Address
      </Button>
      <LinkButton to={paths.account} look="quiet" wide className="mt-3">
        Go to Your Account
      </LinkButton>
    </AuthLayout>
  );
}
