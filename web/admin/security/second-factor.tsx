import { AdminPasswordForm, AdminProofForm } from '#contract/account-forms.ts';
import { dayText } from '#contract/calendar.ts';
import type { Security } from '#contract/owner/security.ts';
import { PasswordField } from '../../account/sign-in/password-field.tsx';
import { countText } from '#contract/count-text.ts';
import { send } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import {
  Form,
  FormButtons,
  FormProblem,
  type ShopForm,
  TextField,
  useFirstFocus,
  useShopForm,
} from '../../ui/form.tsx';
import { Badge, Notice } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useIsStaff, useSessionEnd } from '../session.ts';
import { useSecurityChange } from './security-query.ts';

/** If at most this many recovery codes are left, the owner should make new ones. */
const fewCodesLeft = 3;

/** Whether the second factor is on, and buttons to change it. */
export function SecondFactor(props: {
  factor: Security['secondFactor'];
  onTask: (task: 'set-up' | 'off' | 'recovery-codes') => void;
}) {
  const { factor, onTask } = props;
  const isFactorOn = factor.since !== null;
  return (
    <section className="mt-6" aria-labelledby="second-factor">
      <h3 id="second-factor" className="flex items-center gap-3 text-lg font-semibold">
        Second step at sign-in
        <Badge tone={isFactorOn ? 'good' : 'neutral'}>{isFactorOn ? 'On' : 'Off'}</Badge>
      </h3>
      {isFactorOn ? (
        <p className="mt-1 text-muted">
          On since {dayText(factor.since!)}. You sign in with your password and a code from the app on your phone.{' '}
          {factor.recoveryCodesLeft === 0
            ? 'You have no recovery codes left.'
            : `You have ${countText(factor.recoveryCodesLeft, 'recovery code')} left.`}
        </p>
      ) : (
        <p className="mt-1 text-muted">
          Sign in with your password and a code from an app on your phone. Someone who only knows the password can’t get
          in.
        </p>
      )}
      {isFactorOn && !factor.isAsked && (
        <Notice tone="warn" title="The code is turned off" className="mt-4">
          ADMIN_SECOND_FACTOR is off in the settings of this shop. If you lost your phone, turn the second step off
          here, then on again.
        </Notice>
      )}
      {isFactorOn && factor.isAsked && factor.recoveryCodesLeft <= fewCodesLeft && (
        <Notice tone="warn" className="mt-4">
          Make new recovery codes, so you can sign in without your phone.
        </Notice>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        {isFactorOn ? (
          <>
            <Button look="secondary" onClick={() => onTask('recovery-codes')}>
              New recovery codes
            </Button>
            {!factor.isRequired && (
              <Button look="secondary" onClick={() => onTask('off')}>
                Turn off
              </Button>
            )}
          </>
        ) : (
          <Button look="secondary" onClick={() => onTask('set-up')}>
            Set up
          </Button>
        )}
      </div>
    </section>
  );
}

const tasks = {
  off: {
    title: 'Turn off the second step',
    words: 'You’ll only need your password to sign in. Your recovery codes will stop working.',
    confirmLabel: 'Turn off',
  },
  'recovery-codes': {
    title: 'New recovery codes',
    words: 'Your old codes will stop working.',
    confirmLabel: 'Make new codes',
  },
} as const;

/**
 * Asks for the password, and with `withCode` for the code, before the second factor is turned off or gets new recovery
 * codes.
 */
export function IdentityProofForm(props: {
  what: keyof typeof tasks;
  withCode: boolean;
  onCodes: (codes: string[]) => void;
  onOff: () => void;
  onCancel: () => void;
}) {
  const { what, withCode, onCodes, onOff, onCancel } = props;
  const { title, words, confirmLabel } = tasks[what];
  const { refresh } = useSecurityChange();
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm(withCode ? AdminProofForm : AdminPasswordForm, {
    onSubmit: async (body) => {
      if (what === 'recovery-codes')
        return onCodes((await send('POST /api/admin/second-factor/recovery-codes', { body })).recoveryCodes);
      const { message } = await send('POST /api/admin/second-factor/off', { body });
      toast({ title: 'Second step off', description: message });
      await refresh();
      onOff();
    },
    onProblem: (_, error) => handleSessionEnd(error),
  }) as ShopForm<{ password: string; code?: string }, unknown>;
  useFirstFocus(form, 'password');
  return (
    <section className="mt-6" aria-labelledby="prove-again">
      <h3 id="prove-again" className="text-lg font-semibold">
        {title}
      </h3>
      <p className="mt-1 text-muted">{words}</p>
      <Form form={form} label={title} className="mt-5 space-y-5">
        <PasswordField
          form={form}
          name="password"
          label={useIsStaff() ? 'Your password' : 'Admin password'}
          autoComplete="current-password"
        />
        {withCode && (
          <TextField
            form={form}
            name="code"
            label="Code"
            hint="The six digits your app shows now, or a recovery code."
            autoComplete="one-time-code"
            maxLength={40}
          />
        )}
        <FormProblem form={form} />
        <FormButtons form={form} words={confirmLabel} busyLabel="One moment..." onCancel={onCancel} />
      </Form>
    </section>
  );
}
