import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { refusals } from '#contract/refusals.ts';
import { send } from '../../data/api.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';
import { AuthLayout } from './auth-layout.tsx';
import { type MailedLinkResult, hasLinkRequirementChanged, isLinkOver, useSignInFor } from './mailed-link.ts';
import { LinkNotLoaded, LinkProblem } from './mailed-link-parts.tsx';
import { useLinkAction } from './link-action.ts';

interface Props {
  token: string | undefined;
  found: MailedLinkResult;
}

/** /auth/change-email: opened by an emailed link. A click confirms the new email if this browser is signed in. */
export function ChangeEmailPage({ token = '', found }: Props) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const [isOver, setIsOver] = useState(false);
  const { act, isReady, isBusy, isDone, error } = useLinkAction(
    async () => {
      await send('POST /api/auth/change-email', { body: { token } });
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === '/api' });
    },
    (problem) => {
      if (isLinkOver(problem)) setIsOver(true);
      else if (hasLinkRequirementChanged(problem)) void router.invalidate();
    },
  );
  if (isDone)
    return (
      <AuthLayout
        title="Thank you"
        lede="Your account now uses this email address. We let your old address know and signed out every other browser."
      >
        {accountLink}
      </AuthLayout>
    );
  if (isOver || 'isOver' in found)
    return (
      <AuthLayout title="That link doesn’t work anymore" lede={refusals['email-change-link-invalid'].words}>
        {accountLink}
      </AuthLayout>
    );
  if ('words' in found) return <LinkNotLoaded {...found} />;
  if (found.needs === 'sign-in') return <SignInNotice token={token} email={found.email} />;
  return (
    <AuthLayout
      title="Your new email address"
      lede={
        <>
          From now on, sign in with <strong className="break-words">{found.email}</strong>. We’ll email you there. This
          signs out every other browser and removes passkeys on other devices.
        </>
      }
    >
      {error !== null && <LinkProblem error={error} />}
      <Button wide size="large" disabled={!isReady} busy={isBusy} busyLabel="One moment..." onClick={act}>
        Confirm new email
      </Button>
      <LinkButton to={paths.account} look="quiet" wide className="mt-3">
        Go to your account
      </LinkButton>
    </AuthLayout>
  );
}

const accountLink = (
  <LinkButton to={paths.account} wide size="large">
    Go to your account
  </LinkButton>
);

function SignInNotice({ token, email }: { token: string; email: string }) {
  const signIn = useSignInFor(paths.changeEmail(token));
  const isHydrated = useHydrated();
  return (
    <AuthLayout
      title="Please sign in first"
      lede={
        <>
          Someone wants to use <strong className="break-words">{email}</strong> for their account. If that’s you, sign
          in to that account with its current email address. Then confirm the new one here.
        </>
      }
    >
      <Button wide size="large" disabled={!isHydrated} onClick={() => void signIn()}>
        Sign in to your account
      </Button>
      <p className="mt-4 text-center text-[0.9375rem] text-muted">
        Not you? You don’t need to do anything. Nothing changes unless someone confirms it in that account.
      </p>
    </AuthLayout>
  );
}
