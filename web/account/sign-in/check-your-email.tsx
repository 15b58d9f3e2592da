import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { useHeadingFocus } from '../../ui/heading-focus.ts';
import { Link } from '../../ui/link.tsx';
import { AuthLayout } from './auth-layout.tsx';

export const backToSignIn = (
  <Link to={paths.signIn} className="link inline-flex min-h-11 items-center">
    Back to sign in
  </Link>
);

/** For who is signed in and comes from their account. */
export const backToAccount = (
  <Link to={paths.account} className="link inline-flex min-h-11 items-center">
    Back to your account
  </Link>
);

interface Props {
  sentTo: string;
  /** What was sent there, if there is such an account. */
  what: string;
  /** How long it works. */
  children: ReactNode;
  onOther: () => void;
  /** The way back. */
  after?: ReactNode;
}

/** What is said is the same whether or not there is an account. */
export function CheckYourEmail({ sentTo, what, children, onOther, after = backToSignIn }: Props) {
  const heading = useHeadingFocus();
  return (
    <AuthLayout title="Check Your Email" heading={heading} after={after}>
      <div role="status" className="space-y-4">
        <p>
          If an account with the email <strong className="break-words">{sentTo}</strong> exists, we've sent you a {what}
          .
        </p>
        <p className="text-muted">
          {children} Nothing there after a few minutes? Look in the spam folder, or try the address you bought with.
        </p>
      </div>
      <Button look="secondary" wide className="mt-6" onClick={onOther}>
        Try another email
      </Button>
    </AuthLayout>
  );
}
