import { ArrowLeft, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { AdminPasswordForm } from '#contract/account-forms.ts';
import { useGoTo } from '../account/customer.ts';
import { PasswordField } from '../account/sign-in/password-field.tsx';
import { send } from '../data/api.ts';
import { errorWords, isOffline } from '../data/error-words.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Form, FormProblem, SubmitButton, useShopForm } from '../ui/form.tsx';
import { Link } from '../ui/link.tsx';
import { Card } from '../ui/surfaces.tsx';
import { toast } from '../ui/toast.ts';

const redirectMs = 500;
const unreachable = 'Failed to authenticate. Please try again.';

/** /admin-login: by password, or as the owner. */
export function AdminLoginPage({ shopName }: { shopName: string }) {
  const goTo = useGoTo();
  const form = useShopForm(AdminPasswordForm, {
    onSubmit: async (body) => {
      await send('POST /api/admin/auth/password', { body });
      await new Promise((resolve) => setTimeout(resolve, redirectMs));
      goTo(paths.admin);
    },
    fallbackWords: 'Invalid password',
    onProblem: (words, error) => loginFailed(isOffline(error) ? unreachable : words),
  });
  return (
    <section className="wrap flex min-h-[85dvh] flex-col items-center justify-center py-10">
      <div className="w-full max-w-md">
        <Link to={paths.home} className="link inline-flex min-h-11 items-center gap-2">
          <ArrowLeft aria-hidden className="size-4" />
          Back to Home
        </Link>
        <Card className="mt-3">
          <p className="text-muted">{shopName}</p>
          <h1 className="title-3 mt-1">Admin sign-in</h1>
          <Form form={form} label="Admin sign-in" className="mt-6 space-y-5">
            <PasswordField form={form} name="password" label="Password" autoComplete="current-password" />
            <FormProblem form={form} />
            <SubmitButton form={form} wide busyWords="Signing in...">
              Sign In
            </SubmitButton>
          </Form>
          <p className="my-5 flex items-center gap-4 text-[0.9375rem] text-muted before:h-px before:flex-1 before:bg-hair after:h-px after:flex-1 after:bg-hair">
            or
          </p>
          <OwnerSignIn />
        </Card>
        <p className="mt-5 text-center text-[0.9375rem] text-muted">Access is restricted to authorized IP addresses.</p>
      </div>
    </section>
  );
}

function OwnerSignIn() {
  const goTo = useGoTo();
  const [busy, setBusy] = useState(false);
  const signIn = async () => {
    setBusy(true);
    try {
      const { redirect } = await send('POST /api/admin/auth/replit');
      if (redirect && /^https:/i.test(redirect)) location.assign(redirect);
      else goTo(paths.admin);
    } catch (error) {
      loginFailed(isOffline(error) ? unreachable : errorWords(error, unreachable));
      setBusy(false);
    }
  };
  return (
    <Button look="secondary" wide busy={busy} busyWords="One moment..." onClick={() => void signIn()}>
      <KeyRound aria-hidden className="size-5" />
      Sign in as the owner
    </Button>
  );
}

const loginFailed = (words: string) => toast({ title: 'Login Failed', description: words, destructive: true });
