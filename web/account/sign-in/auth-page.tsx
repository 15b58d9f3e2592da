import { useEffect, useState } from 'react';
import { SignInForm, SignUpForm } from '#contract/account-forms.ts';
import { limits } from '#contract/limits.ts';
import { send } from '../../data/api.ts';
import { paths } from '../../paths.ts';
import { Agreement } from '../../ui/agreement.tsx';
import { Form, SubmitButton, TextField, useShopForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { expectToasts, toast } from '../../ui/toast.ts';
import { showSignInNotice } from '../sign-in-notice.ts';
import { useGoTo } from '../customer.ts';
import { rememberReturnPath, safeReturnPath, takeReturnPath } from '../return-path.ts';
import { AuthLayout } from './auth-layout.tsx';
import { storeTypedEmail } from './typed-email.ts';
import { useOpenAfterSignIn } from './open-after-sign-in.ts';
import { OtherSignInWays } from './other-ways.tsx';
import { PasswordField } from './password-field.tsx';

export type AuthTab = 'sign-in' | 'sign-up';

interface Props {
  tab: AuthTab;
  returnTo: string | undefined;
  onTab: (tab: AuthTab) => void;
  /** Returns the registration page of a guest who has just paid. */
  findRegistration: () => string | undefined;
}

/** /auth: sign in or create an account. */
export function AuthPage({ tab, returnTo, onTab, findRegistration }: Props) {
  const goTo = useGoTo();
  useEffect(expectToasts, []);
  useEffect(() => {
    if (returnTo === undefined) return;
    // Before hydration, links lead a guest who has just paid to /upload, which redirects here. The guest must register.
    const registrationPath = safeReturnPath(returnTo).startsWith(paths.upload) ? findRegistration() : undefined;
    if (registrationPath !== undefined) return goTo(registrationPath, { replace: true });
    rememberReturnPath(returnTo + location.hash); // the browser keeps the hash when the server redirects
    showSignInNotice();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each page to return to
  }, [returnTo]);
  return (
    <AuthLayout
      title={tab === 'sign-in' ? 'Welcome back' : 'Create your account'}
      lede={
        tab === 'sign-in'
          ? 'Sign in to add photos and track your order.'
          : 'One account for your photos, your frames and your videos.'
      }
      after={<Agreement by="By continuing" />}
    >
      <noscript>
        <p className="mb-6">
          {tab === 'sign-in' ? (
            <a href={`${paths.signIn}?tab=sign-up`} className="link inline-flex min-h-11 items-center">
              No account yet? Sign Up
            </a>
          ) : (
            <a href={paths.signIn} className="link inline-flex min-h-11 items-center">
              Already have an account? Sign In
            </a>
          )}
        </p>
      </noscript>
      <Tabs
        label="Sign in or sign up"
        value={tab}
        onChange={(value) => onTab(value as AuthTab)}
        tabs={[
          { value: 'sign-in', label: 'Sign In', content: <SignIn /> },
          { value: 'sign-up', label: 'Sign Up', content: <SignUp onHasAccount={() => onTab('sign-in')} /> },
        ]}
      />
    </AuthLayout>
  );
}

function SignIn() {
  const openAfterSignIn = useOpenAfterSignIn();
  const form = useShopForm(SignInForm, {
    onSubmit: async (body) => {
      const { customer } = await send('POST /api/auth/login', { body });
      await openAfterSignIn(customer, takeReturnPath());
    },
    fallbackText: 'Login failed. Please try again.',
    onProblem: (words) => toast({ title: 'Login Failed', description: words, destructive: true }),
  });
  const keepTypedEmail = () => storeTypedEmail(form.getValues('email'));
  return (
    <Form form={form} label="Sign in">
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username webauthn" />
      <PasswordField form={form} name="password" label="Password" autoComplete="current-password" />
      <SignInProblem words={form.problem} />
      <SubmitButton form={form} wide size="large" busyLabel="Signing in...">
        Sign In
      </SubmitButton>
      <p className="text-center">
        <Link to={paths.forgotPassword} onClick={keepTypedEmail} className="link inline-flex min-h-11 items-center">
          Forgot your password?
        </Link>
      </p>
      <OtherSignInWays onMail={keepTypedEmail} />
    </Form>
  );
}

function SignUp({ onHasAccount }: { onHasAccount: () => void }) {
  const openAfterSignIn = useOpenAfterSignIn();
  const [isTaken, setIsTaken] = useState(false);
  const form = useShopForm(SignUpForm, {
    onSubmit: async ({ confirmPassword: _, ...body }) => {
      setIsTaken(false);
      const { customer, message } = await send('POST /api/auth/register', { body });
      await openAfterSignIn(customer);
      toast({ title: `Welcome, ${customer.firstName}`, description: message });
    },
    fallbackText: 'Registration failed. Please try again.',
    onProblem: (words, error) => {
      setIsTaken((error as { code?: string }).code === 'email-taken');
      toast({ title: 'Registration Failed', description: words, destructive: true });
    },
  });
  return (
    <Form form={form} label="Sign up">
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField form={form} name="firstName" label="First name" autoComplete="given-name" maxLength={100} />
        <TextField form={form} name="lastName" label="Last name" autoComplete="family-name" maxLength={100} />
      </div>
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" />
      <PasswordField
        form={form}
        name="password"
        label="Password"
        autoComplete="new-password"
        hint={`At least ${limits.passwordMinimum} characters.`}
      />
      <PasswordField form={form} name="confirmPassword" label="Confirm password" autoComplete="new-password" />
      <SignInProblem words={form.problem} />
      {isTaken && (
        <p className="text-center">
          <button type="button" className="link min-h-11" onClick={onHasAccount}>
            Sign in to your account
          </button>
        </p>
      )}
      <SubmitButton form={form} wide size="large" busyLabel="Creating your account...">
        Create account
      </SubmitButton>
    </Form>
  );
}

/** Shows the error of the last attempt. The toast with the error disappears after five seconds, this text stays. */
function SignInProblem({ words }: { words: string | undefined }) {
  return words && <p className="rounded-lg bg-bad-soft p-4 font-medium text-bad">{words}</p>;
}
