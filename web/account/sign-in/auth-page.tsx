import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Customer } from '#contract/accounts.ts';
import { SignInForm, SignUpForm } from '#contract/account-forms.ts';
import { limits } from '#contract/limits.ts';
import { send } from '../../data/api.ts';
import { paths } from '../../paths.ts';
import { Agreement } from '../../shell/agreement.tsx';
import { Form, SubmitButton, TextField, useShopForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { currentToast, toast } from '../../ui/toast.ts';
import { rememberCustomer, useGoTo } from '../customer.ts';
import { findFrameInfo, nextPageAfterSignIn } from '../next-page.ts';
import { takeReturnPath } from '../return-path.ts';
import { AuthLayout } from './auth-layout.tsx';
import { PasswordField } from './password-field.tsx';

export type AuthTab = 'sign-in' | 'sign-up';
const delayMs = 100;

/** /auth: sign in or make an account. */
export function AuthPage({ tab, onTab }: { tab: AuthTab; onTab: (tab: AuthTab) => void }) {
  return (
    <AuthLayout
      title={tab === 'sign-in' ? 'Welcome back' : 'Make your account'}
      lede={
        tab === 'sign-in'
          ? 'Sign in to add photos and follow your order.'
          : 'One account for your photos, your frames and your videos.'
      }
      after={<Agreement by="By going on" />}
    >
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
  const enter = useEntrance();
  const form = useShopForm(SignInForm, {
    onSubmit: async (body) => {
      const { customer } = await send('POST /api/auth/login', { body });
      await enter(customer, takeReturnPath());
    },
    fallbackWords: 'Login failed. Please try again.',
    onProblem: (words) => toast({ title: 'Login Failed', description: words, destructive: true }),
  });
  return (
    <Form form={form} label="Sign in">
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" />
      <PasswordField form={form} name="password" label="Password" autoComplete="current-password" />
      <Problem words={form.problem} />
      <SubmitButton form={form} wide size="large" busyWords="Signing in...">
        Sign In
      </SubmitButton>
      <p className="text-center">
        <Link to={paths.forgotPassword} className="link inline-flex min-h-11 items-center">
          Forgot your password?
        </Link>
      </p>
    </Form>
  );
}

function SignUp({ onHasAccount }: { onHasAccount: () => void }) {
  const enter = useEntrance();
  const [isTaken, setIsTaken] = useState(false);
  const form = useShopForm(SignUpForm, {
    onSubmit: async ({ confirmPassword: _, ...body }) => {
      setIsTaken(false);
      const { customer, message } = await send('POST /api/auth/register', { body });
      await enter(customer);
      toast({ title: `Welcome, ${customer.firstName}`, description: message });
    },
    fallbackWords: 'Registration failed. Please try again.',
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
      <Problem words={form.problem} />
      {isTaken && (
        <p className="text-center">
          <button type="button" className="link min-h-11" onClick={onHasAccount}>
            Sign in to your account
          </button>
        </p>
      )}
      <SubmitButton form={form} wide size="large" busyWords="Creating your account...">
        Create Account
      </SubmitButton>
    </Form>
  );
}

/** The toast goes after five seconds; the words stay until the next try. */
function Problem({ words }: { words: string | undefined }) {
  return words && <p className="rounded-lg bg-bad-soft p-4 font-medium text-bad">{words}</p>;
}

/** In: the page asked for before, else the one the customer's frames call for. */
function useEntrance() {
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
