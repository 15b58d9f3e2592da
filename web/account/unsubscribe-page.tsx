import { send } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { AuthLayout } from './sign-in/auth-layout.tsx';
import { useLinkAction } from './sign-in/link-action.ts';

/** /unsubscribe: opened by the link in a reminder email. Its button stops the reminders. */
export function UnsubscribePage({ token, isOfCart }: { token: string | undefined; isOfCart: boolean }) {
  const { act, isReady, isBusy, isDone, error } = useLinkAction(() =>
    send('POST /api/unsubscribe', { body: { token: token ?? '' } }),
  );
  if (isDone)
    return (
      <AuthLayout
        title="No more reminders"
        lede={
          isOfCart
            ? 'We will not remind you of a cart again.'
            : 'From now on, we’ll only email you when there’s news about your order.'
        }
      >
        <LinkButton to={isOfCart ? paths.home : paths.upload} wide size="large">
          {isOfCart ? 'Back to Home' : 'Go to my photos'}
        </LinkButton>
      </AuthLayout>
    );
  return (
    <AuthLayout
      title="Stop the reminders?"
      lede={
        isOfCart
          ? 'We will no longer email you about carts that you left at checkout.'
          : 'We’ll only email you when there’s news about this order, and we won’t ask you for a review.'
      }
    >
      {error !== null && (
        <p role="alert" className="mb-6 rounded-lg bg-bad-soft p-4 font-medium text-bad">
          {errorText(error)}
        </p>
      )}
      <Button wide size="large" disabled={!isReady} busy={isBusy} busyLabel="One moment..." onClick={act}>
        Stop reminders
      </Button>
    </AuthLayout>
  );
}
