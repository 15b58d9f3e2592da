import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../../data/api.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { useHeadingFocus } from '../../ui/heading-focus.ts';
import { rememberCustomer } from '../customer.ts';
import { AuthLayout } from './auth-layout.tsx';
import { type MailedLinkResult, hasLinkRequirementChanged, isLinkOver, useSignInFor } from './mailed-link.ts';
import { LinkNotLoaded, LinkProblem, NewPasswordForm } from './mailed-link-parts.tsx';
import { useLinkAction } from './link-action.ts';

interface Props {
  token: string | undefined;
  found: MailedLinkResult;
}

/**
 * /auth/confirm-email: opened by an emailed link. In a browser that is signed in to the account, one click confirms the
 * email. In another browser, the customer must also choose a new password. The page sends nothing without a click,
 * because mail scanners open links and run the scripts of the pages.
 */
export function ConfirmEmailPage({ token = '', found }: Props) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const [state, setState] = useState<'asking' | 'over' | 'done'>('asking');
  const confirm = async (password?: string) => {
    const body = { token, ...(password !== undefined && { password }) };
    const { customer } = await send('POST /api/auth/confirm-email', { body });
    // Clear the cache: orders that were made with this email now belong to the account.
    if (customer) rememberCustomer(queryClient, customer);
    setState('done');
  };
  const handleLinkProblem = (error: unknown) => {
    if (isLinkOver(error)) setState('over');
    else if (hasLinkRequirementChanged(error)) void router.invalidate();
  };
  if (state === 'done') return <EmailConfirmed />;
  if ('words' in found) return <LinkNotLoaded {...found} />;
  if ('isOver' in found || state === 'over') return <InvalidLinkNotice />;
  if (found.needs === 'click')
    return <ConfirmByClick email={found.email} confirm={confirm} onProblem={handleLinkProblem} />;
  return <ConfirmByPassword token={token} email={found.email} confirm={confirm} onProblem={handleLinkProblem} />;
}

interface ConfirmProps {
  email: string;
  confirm: (password?: string) => Promise<void>;
  onProblem: (error: unknown) => void;
}

function ConfirmByClick({ email, confirm, onProblem }: ConfirmProps) {
  const { act, isReady, isBusy, error } = useLinkAction(() => confirm(), onProblem);
  return (
    <AuthLayout
      title="Confirm your email"
      lede={
        <>
          Is <strong className="break-words">{email}</strong> yours? Orders made with it will show up in your account,
          and every other browser is signed out.
        </>
      }
    >
      {error !== null && <LinkProblem error={error} />}
      <Button wide size="large" disabled={!isReady} busy={isBusy} busyLabel="One moment..." onClick={act}>
        Confirm my email
      </Button>
    </AuthLayout>
  );
}

function ConfirmByPassword({ token, email, confirm, onProblem }: ConfirmProps & { token: string }) {
  const signIn = useSignInFor(paths.confirmEmail(token));
  return (
    <AuthLayout
      title="Choose a password"
      lede={
        <>
          A password confirms <strong className="break-words">{email}</strong> and makes sure only you can sign in.
        </>
      }
      after={
        <>
          Already know the password for this account?{' '}
          <button type="button" className="link min-h-11" onClick={() => void signIn()}>
            Sign in and confirm
          </button>
        </>
      }
    >
      <NewPasswordForm
        email={email}
        words="Confirm and sign in"
        busyLabel="One moment..."
        onSubmit={confirm}
        onProblem={onProblem}
      />
    </AuthLayout>
  );
}

function EmailConfirmed() {
  const heading = useHeadingFocus();
  return (
    <AuthLayout
      title="Thank you"
      heading={heading}
      lede="Your email address is confirmed. You’ll find orders you made with it in your account."
    >
      <LinkButton to={paths.upload} wide size="large">
        Continue to my photos
      </LinkButton>
    </AuthLayout>
  );
}

function InvalidLinkNotice() {
  return (
    <AuthLayout
      title="That link doesn’t work anymore"
      lede="This confirmation link is invalid or has expired. If your email is already confirmed, you’re all set."
    >
      <LinkButton to={paths.signIn} wide size="large">
        Go to sign in
      </LinkButton>
      <LinkButton to={paths.support} look="quiet" wide className="mt-3">
        Contact support
      </LinkButton>
    </AuthLayout>
  );
}
