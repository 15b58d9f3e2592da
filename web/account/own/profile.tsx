import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, Mail, UserRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Account } from '#contract/account.ts';
import { ChangeEmailForm, ChangePasswordForm, NameForm } from '#contract/account-forms.ts';
import { limits } from '#contract/limits.ts';
import { send } from '../../data/api.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Form, FormProblem, SubmitButton, TextField, useFirstFocus, useShopForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { useLostFocus } from '../../ui/lost-focus.ts';
import { Notice } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { customerQuery } from '../customer.ts';
import { storeTypedEmail } from '../sign-in/typed-email.ts';
import { PasswordField } from '../sign-in/password-field.tsx';
import { TitledCard } from '../titled-card.tsx';
import { useAccountChange } from './account-query.ts';
import { useReauthentication } from './reauthentication.tsx';

/** The customer's name, email and password. Each row has a button that replaces the row with a form. */
export function Profile({ customer, newEmail }: Pick<Account, 'customer' | 'newEmail'>) {
  const [open, setOpen] = useState<'name' | 'email' | 'password'>();
  const rowPropsOf = (name: NonNullable<typeof open>) => ({
    isOpen: open === name,
    onChange: (isOpen: boolean) => setOpen(isOpen ? name : undefined),
  });
  return (
    <TitledCard icon={UserRound} title="You">
      <div className="divide-y divide-hair">
        <Row label="Name" value={`${customer.firstName} ${customer.lastName}`} {...rowPropsOf('name')}>
          {(close) => <ChangeName customer={customer} onClose={close} />}
        </Row>
        <Row label="Email" value={customer.email} {...rowPropsOf('email')}>
          {(close) => <ChangeEmail onClose={close} />}
        </Row>
        {newEmail !== null && open !== 'email' && (
          <Notice className="mt-4 mb-4" title={`Please confirm ${newEmail}`}>
            <Mail aria-hidden className="mr-1.5 inline size-4 align-[-0.125em]" />
            Open the link we sent to that address. Until then, we’ll email you at {customer.email}.
          </Notice>
        )}
        <Row label="Password" value="••••••••" {...rowPropsOf('password')}>
          {(close) => <ChangePassword email={customer.email} onClose={close} />}
        </Row>
      </div>
    </TitledCard>
  );
}

function Row(props: {
  label: string;
  value: string;
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  /** The form that replaces the row. */
  children: (close: () => void) => ReactNode;
}) {
  const { label, value, isOpen, onChange, children } = props;
  const { target: opener, press } = useLostFocus<HTMLButtonElement>(isOpen);
  const close = () => {
    press();
    onChange(false);
  };
  if (isOpen) return <div className="py-5">{children(close)}</div>;
  return (
    <div className="flex flex-wrap items-center gap-x-4 py-2">
      <p className="min-w-0 flex-1 basis-48 py-2">
        <span className="block text-[0.9375rem] text-muted">{label}</span>
        <span className="font-medium break-words">{value}</span>
      </p>
      <Button
        ref={opener}
        look="secondary"
        size="small"
        onClick={() => onChange(true)}
        aria-label={`Change ${label.toLowerCase()}`}
      >
        Change
      </Button>
    </div>
  );
}

function SaveAndCancelButtons({
  form,
  words,
  onClose,
}: {
  form: { busy: boolean };
  words: string;
  onClose: () => void;
}) {
  return (
    <div className="flex flex-wrap gap-3">
      <SubmitButton form={form} busyLabel="Saving...">
        {words}
      </SubmitButton>
      <Button look="quiet" onClick={onClose}>
        Cancel
      </Button>
    </div>
  );
}

function ChangeName({ customer, onClose }: Pick<Account, 'customer'> & { onClose: () => void }) {
  const queryClient = useQueryClient();
  const { refresh } = useAccountChange();
  const form = useShopForm(NameForm, {
    defaultValues: { firstName: customer.firstName, lastName: customer.lastName },
    onSubmit: async (body) => {
      queryClient.setQueryData(customerQuery().queryKey, await send('PUT /api/account/name', { body }));
      await refresh();
      toast({ title: 'Name changed', description: `From now on, we’ll call you ${body.firstName}.` });
      onClose();
    },
  });
  useFirstFocus(form, 'firstName');
  return (
    <Form form={form} label="Change name">
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField form={form} name="firstName" label="First name" autoComplete="given-name" maxLength={100} />
        <TextField form={form} name="lastName" label="Last name" autoComplete="family-name" maxLength={100} />
      </div>
      <FormProblem form={form} />
      <SaveAndCancelButtons form={form} words="Save name" onClose={onClose} />
    </Form>
  );
}

function ChangeEmail({ onClose }: { onClose: () => void }) {
  const { refresh } = useAccountChange();
  const { withProof, dialog } = useReauthentication();
  const form = useShopForm(ChangeEmailForm, {
    onSubmit: async (body) => {
      const isDone = await withProof(async () => {
        const { message } = await send('POST /api/account/email', { body });
        toast({ title: 'Check Your Email', description: message });
      });
      if (!isDone) return;
      await refresh();
      onClose();
    },
  });
  useFirstFocus(form, 'email');
  return (
    <>
      <Form form={form} label="Change email">
        <TextField
          form={form}
          name="email"
          label="New email"
          type="email"
          autoComplete="email"
          hint="We’ll send a link to this address. Open it in this browser to change your email. We’ll also let your old address know."
        />
        <FormProblem form={form} />
        <SaveAndCancelButtons form={form} words="Send link" onClose={onClose} />
      </Form>
      {dialog}
    </>
  );
}

function ChangePassword({ email, onClose }: { email: string; onClose: () => void }) {
  const { refresh } = useAccountChange();
  const form = useShopForm(ChangePasswordForm, {
    onSubmit: async ({ confirmPassword: _, ...body }) => {
      const { message } = await send('PUT /api/account/password', { body });
      toast({ title: 'Password changed', description: message });
      await refresh();
      onClose();
    },
  });
  useFirstFocus(form, 'currentPassword');
  return (
    <Form form={form} label="Change password">
      <p className="flex items-start gap-2 text-[0.9375rem] text-muted">
        <KeyRound aria-hidden className="mt-1 size-4 shrink-0" />
        You’ll be signed out of every other browser.
      </p>
      <div>
        <PasswordField form={form} name="currentPassword" label="Current password" autoComplete="current-password" />
        <Link
          to={paths.forgotPassword}
          onClick={() => storeTypedEmail(email)}
          className="link mt-2 inline-flex min-h-11 items-center text-[0.9375rem]"
        >
          Forgot it? We’ll email you a link to choose a new one.
        </Link>
      </div>
      <PasswordField
        form={form}
        name="password"
        label="New password"
        autoComplete="new-password"
        hint={`At least ${limits.passwordMinimum} characters.`}
      />
      <PasswordField form={form} name="confirmPassword" label="Confirm new password" autoComplete="new-password" />
      <FormProblem form={form} />
      <SaveAndCancelButtons form={form} words="Change password" onClose={onClose} />
    </Form>
  );
}
