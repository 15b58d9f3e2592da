import { AdminPasswordForm, AdminProofForm } from '#contract/account-forms.ts';
import { dayWords } from '#contract/calendar.ts';
import type { Security } from '#contract/owner/security.ts';
import { PasswordField } from '../../account/sign-in/password-field.tsx';
import { counted } from '#contract/count-words.ts';
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
import { useSessionEnd } from '../session.ts';
import { useSecurityChange } from './security-query.ts';

/** So few are left that it is time for new ones. */
const few = 3;

/** Whether signing in takes a second step, and how to change that. */
export function SecondFactor(props: {
  factor: Security['secondFactor'];
  onTask: (task: 'set-up' | 'off' | 'recovery-codes') => void;
}) {
  const { factor, onTask } = props;
  const isOn = factor.since !== null;
  return (
    <section className="mt-6" aria-labelledby="second-factor">
      <h3 id="second-factor" className="flex items-center gap-3 text-lg font-semibold">
        Second step at sign-in
        <Badge tone={isOn ? 'good' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>
      </h3>
      {isOn ? (
        <p className="mt-1 text-muted">
          Since {dayWords(factor.since!)} signing in takes your password and a code of the app on your phone.{' '}
          {factor.recoveryCodesLeft === 0
            ? 'No recovery code is left.'
            : `You have ${counted(factor.recoveryCodesLeft, 'recovery code')} left.`}
        </p>
      ) : (
        <p className="mt-1 text-muted">
          Let signing in take a code of an app on your phone beside the password: then whoever finds out the password
          alone stays outside.
        </p>
      )}
      {isOn && !factor.isAsked && (
        <Notice tone="warn" title="The code is not asked for now" className="mt-4">
          ADMIN_SECOND_FACTOR is off in the settings of this shop. Set up the second step anew if you have lost your
          phone: switch it off here, then on again.
        </Notice>
      )}
      {isOn && factor.isAsked && factor.recoveryCodesLeft <= few && (
        <Notice tone="warn" className="mt-4">
          Make new recovery codes, so that you get in when your phone is not at hand.
        </Notice>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        {isOn ? (
          <>
            <Button look="secondary" onClick={() => onTask('recovery-codes')}>
              New Recovery Codes
            </Button>
            <Button look="secondary" onClick={() => onTask('off')}>
              Switch Off
            </Button>
          </>
        ) : (
          <Button look="secondary" onClick={() => onTask('set-up')}>
            Set Up
          </Button>
        )}
      </div>
    </section>
  );
}

const tasks = {
  off: {
    title: 'Switch the second step off',
    words: 'Then the password alone signs in, and your recovery codes end.',
    confirmWords: 'Switch Off',
  },
  'recovery-codes': {
    title: 'New recovery codes',
    words: 'The ones you have end with it.',
    confirmWords: 'Make New Codes',
  },
} as const;

/** Password and code once more, for what changes the second step. */
export function ProveAgain(props: {
  what: keyof typeof tasks;
  withCode: boolean;
  onCodes: (codes: string[]) => void;
  onOff: () => void;
  onCancel: () => void;
}) {
  const { what, withCode, onCodes, onOff, onCancel } = props;
  const { title, words, confirmWords } = tasks[what];
  const { refresh } = useSecurityChange();
  const noteEnd = useSessionEnd();
  const form = useShopForm(withCode ? AdminProofForm : AdminPasswordForm, {
    onSubmit: async (body) => {
      if (what === 'recovery-codes')
        return onCodes((await send('POST /api/admin/second-factor/recovery-codes', { body })).recoveryCodes);
      const { message } = await send('POST /api/admin/second-factor/off', { body });
      toast({ title: 'Second Step Off', description: message });
      await refresh();
      onOff();
    },
    onProblem: (_, error) => noteEnd(error),
  }) as ShopForm<{ password: string; code?: string }, unknown>;
  useFirstFocus(form, 'password');
  return (
    <section className="mt-6" aria-labelledby="prove-again">
      <h3 id="prove-again" className="text-lg font-semibold">
        {title}
      </h3>
      <p className="mt-1 text-muted">{words}</p>
      <Form form={form} label={title} className="mt-5 space-y-5">
        <PasswordField form={form} name="password" label="Admin password" autoComplete="current-password" />
        {withCode && (
          <TextField
            form={form}
            name="code"
            label="Code"
            hint="The six digits that your app shows now, or a recovery code."
            autoComplete="one-time-code"
            maxLength={40}
          />
        )}
        <FormProblem form={form} />
        <FormButtons form={form} words={confirmWords} busyWords="One moment..." onCancel={onCancel} />
      </Form>
    </section>
  );
}
