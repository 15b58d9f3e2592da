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

/** The link back for a signed-in customer, who comes from the account page. */
export const backToAccount = (
  <Link to={paths.account} className="link inline-flex min-h-11 items-center">
    Back to your account
  </Link>
);

interface Props {
  sentTo: string;
  /** What was sent, if there is such an account. */
  what: string;
  /** How long the link works. */
  children: ReactNode;
  onOther: () => void;
  /** The link back to the previous page. */
  after?: ReactNode;
}

/**
 * Says that an email was sent. The text is the same if there is no such account, so that it does not reveal accounts.
 */
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
          {children} No email after a few minutes? Check your spam folder, or try the email address you ordered with.
        </p>
      </div>
      <Button look="secondary" wide className="mt-6" onClick={onOther}>
        Try another email
      </Button>
    </AuthLayout>
  );
}
