import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, KeyRound, Users } from 'lucide-react';
import { useEffect, useState } from 'react';
import { AdminPasswordForm } from '#contract/account-forms.ts';
import { refusals } from '#contract/refusals.ts';
import { useGoTo } from '../account/customer.ts';
import { PasswordField } from '../account/sign-in/password-field.tsx';
import { send } from '../data/api.ts';
import { errorText, isOffline } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Form, FormProblem, SubmitButton, useShopForm } from '../ui/form.tsx';
import { Link } from '../ui/link.tsx';
import { Card, Notice } from '../ui/surfaces.tsx';
import { closeErrorToast, expectToasts, toast } from '../ui/toast.ts';
import { CodeStep } from './login-code.tsx';
import { PasskeySignIn } from './login-passkey.tsx';
import { StaffSignIn } from './login-staff.tsx';
import { takeAdminPath } from './return-path.ts';
import { adminSessionQuery } from './session.ts';
import { addTrustedTypesPolicy } from './trusted-types.ts';

addTrustedTypesPolicy();

const redirectMs = 500;
const unreachableText = refusals['owner-sign-in-away'].words;
const sessionEndTexts = {
  true: 'Your session ended. Please sign in again.',
  removed: refusals['staff-removed'].words,
  'role-changed': refusals['staff-role-changed'].words,
};
type RefusedSignIn = 'owner-sign-in-off' | 'owner-sign-in-away';

interface Props {
  shopName: string;
  refused: RefusedSignIn | undefined;
  /** Set if a session of this browser has just ended: the reason if the owner ended it, else `true`. */
  ended: keyof typeof sessionEndTexts | undefined;
}

/** /admin-login: sign-in by password (and code, if it is set up), by passkey, or by the owner's identity provider. */
export function AdminLoginPage({ shopName, refused, ended }: Props) {
  const goTo = useGoTo();
  const [isAskedForCode, setIsAskedForCode] = useState(false);
  const [isStaff, setIsStaff] = useState(ended === 'role-changed');
  const queryClient = useQueryClient();
  const enter = async () => {
    await new Promise((resolve) => setTimeout(resolve, redirectMs));
    closeErrorToast();
    // The cached session may still say that no one is signed in. Update it before the panel reads it.
    queryClient.setQueryData(adminSessionQuery().queryKey, { isAuthenticated: true });
    goTo(takeAdminPath() ?? paths.admin);
  };
  return (
    <section className="wrap flex min-h-[85dvh] flex-col items-center justify-center py-10">
      <div className="w-full max-w-md">
        <Link to={paths.home} className="link inline-flex min-h-11 items-center gap-2">
          <ArrowLeft aria-hidden className="size-4" />
          Back to Home
        </Link>
        <Card className="mt-3">
          <p className="text-muted">{shopName}</p>
          <h1 className="title-3 mt-1">{isStaff ? 'Sign in as staff' : 'Admin sign-in'}</h1>
          {ended && !refused && (
            <Notice tone={ended === 'removed' ? 'warn' : 'neutral'} className="mt-5">
              {sessionEndTexts[ended]}
            </Notice>
          )}
          {isStaff ? (
            <StaffSignIn onEnter={enter} onFailed={showLoginError} onBack={() => setIsStaff(false)} />
          ) : isAskedForCode ? (
            <CodeStep onEnter={enter} onFailed={showLoginError} onStartOver={() => setIsAskedForCode(false)} />
          ) : (
            <PasswordStep
              onEnter={enter}
              onCodeNeeded={() => setIsAskedForCode(true)}
              onStaff={() => setIsStaff(true)}
              refused={refused}
            />
          )}
        </Card>
        <p className="mt-5 text-center text-[0.9375rem] text-muted">Access is restricted to authorized IP addresses.</p>
      </div>
    </section>
  );
}

function PasswordStep(props: {
  onEnter: () => Promise<void>;
  onCodeNeeded: () => void;
  onStaff: () => void;
  refused: RefusedSignIn | undefined;
}) {
  const { onEnter, onCodeNeeded, onStaff, refused } = props;
  const form = useShopForm(AdminPasswordForm, {
    onSubmit: async (body) => {
      const { codeNeeded } = await send('POST /api/admin/auth/password', { body });
      if (codeNeeded) onCodeNeeded();
      else await onEnter();
    },
    fallbackText: 'Invalid password',
    onProblem: showLoginError,
  });
  return (
    <>
      <Form form={form} label="Admin sign-in" className="mt-6 space-y-5">
        <PasswordField form={form} name="password" label="Password" autoComplete="current-password" />
        <FormProblem form={form} />
        <SubmitButton form={form} wide busyLabel="Signing in...">
          Sign In
        </SubmitButton>
      </Form>
      <p className="my-5 flex items-center gap-4 text-[0.9375rem] text-muted before:h-px before:flex-1 before:bg-hair after:h-px after:flex-1 after:bg-hair">
        or
      </p>
      <div className="space-y-3">
        <PasskeySignIn onEnter={onEnter} onFailed={showLoginError} />
        <OwnerSignIn refused={refused} />
        <Button look="secondary" wide onClick={onStaff}>
          <Users aria-hidden className="size-5" />
          Sign in as staff
        </Button>
      </div>
    </>
  );
}

/** Sign-in with the owner's identity provider. If it fails, the server redirects the browser back to this page. */
function OwnerSignIn({ refused }: { refused: RefusedSignIn | undefined }) {
  const goTo = useGoTo();
  const [busy, setBusy] = useState(false);
  const [refusal] = useState(refused);
  useEffect(expectToasts, []);
  useEffect(() => {
    if (refusal === undefined) return;
    showLoginError(refusals[refusal].words, undefined);
    goTo(paths.adminLogin, { replace: true }); // remove the reason from the address, so that it is shown only once
    // oxlint-disable-next-line react/exhaustive-deps -- once per visit
  }, []);
  useEffect(() => {
    // If the owner goes back from the provider, the browser may restore this page with a busy button.
    const endBusyState = () => setBusy(false);
    addEventListener('pageshow', endBusyState);
    return () => removeEventListener('pageshow', endBusyState);
  }, []);
  const signIn = async () => {
    setBusy(true);
    try {
      const { redirect } = await send('POST /api/admin/auth/replit');
      if (redirect && /^https?:/i.test(redirect)) location.assign(redirect);
      else goTo(paths.admin);
    } catch (error) {
      showLoginError(errorText(error, unreachableText), error);
      setBusy(false);
    }
  };
  return (
    <>
      {refusal && (
        <Notice tone="bad" className="mb-5">
          {refusals[refusal].words}
        </Notice>
      )}
      <Button look="secondary" wide busy={busy} busyLabel="One moment..." onClick={() => void signIn()}>
        <KeyRound aria-hidden className="size-5" />
        Sign in as the owner
      </Button>
    </>
  );
}

const showLoginError = (words: string, error: unknown) =>
  toast({ title: 'Login Failed', description: isOffline(error) ? unreachableText : words, destructive: true });
