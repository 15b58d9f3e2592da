import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refusals } from '#contract/refusals.ts';
import { send } from '../../data/api.ts';
import { errorText, isRefusal } from '../../data/error-text.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { useLinkAction } from './link-action.ts';

/**
 * /auth/end-sign-in: opened by an emailed link. Its button signs out a browser that the customer does not recognize.
 */
export function EndSignInPage({ token }: { token: string | undefined }) {
  const queryClient = useQueryClient();
  const [account, setAccount] = useState<'customer' | 'owner'>();
  const { act, isReady, isBusy, error } = useLinkAction(async () => {
    const endResponse = await send('POST /api/auth/end-sign-in', { body: { token: token ?? '' } });
    // This browser may be the one that is signed out.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === '/api' });
    setAccount(endResponse.account);
  });
  if (account === 'owner')
    return (
      <AuthLayout
        title="That browser is signed out"
        lede="Someone used that browser to get into the admin panel. Please do this now:"
      >
        <ol className="list-decimal space-y-3 pl-5">
          <li>Change ADMIN_PASSWORD in the shop’s settings and restart the shop.</li>
          <li>If you use an admin key, change ADMIN_KEY as well.</li>
          <li>Sign in, open Security, sign out every other browser, and make new recovery codes.</li>
        </ol>
        <LinkButton to={paths.adminLogin} wide size="large" className="mt-6">
          Go to the admin sign-in
        </LinkButton>
      </AuthLayout>
    );
  if (account === 'customer')
    return (
      <AuthLayout
        title="That browser is signed out"
        lede="The person who used it may know your password, so please set a new one now. That also signs out every other browser."
      >
        <LinkButton to={paths.forgotPassword} wide size="large">
          Set a new password
        </LinkButton>
        <p className="mt-6">
          Then open your account and remove every passkey that isn’t yours. If anything else looks wrong, write to us.
        </p>
        <LinkButton to={paths.support} look="quiet" wide className="mt-3">
          Write to us
        </LinkButton>
      </AuthLayout>
    );
  if (isRefusal(error, 'end-sign-in-link-invalid') || isRefusal(error, 'invalid-request'))
    return (
      <AuthLayout title="That link doesn’t work anymore" lede={refusals['end-sign-in-link-invalid'].words}>
        <LinkButton to={paths.forgotPassword} wide size="large">
          Set a new password
        </LinkButton>
      </AuthLayout>
    );
  return (
    <AuthLayout title="Wasn’t that you?" lede="Press the button to sign out the browser we emailed you about.">
      {error !== null && (
        <p role="alert" className="mb-6 rounded-lg bg-bad-soft p-4 font-medium text-bad">
          {errorText(error)}
        </p>
      )}
      <Button wide size="large" disabled={!isReady} busy={isBusy} busyLabel="One moment..." onClick={act}>
        Sign that browser out
      </Button>
      <p className="mt-6 text-center text-muted">
        If that was you, you don’t need to do anything. You can close this page.
      </p>
    </AuthLayout>
  );
}
