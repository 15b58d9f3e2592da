import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fingerprint, KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { AdminCodeForm } from '#contract/account-forms.ts';
import { momentText } from '#contract/calendar.ts';
import { roleNames, roleTexts } from '#contract/owner/areas.ts';
import { StaffPasswordForm } from '#contract/staff-forms.ts';
import { useGoTo } from '../account/customer.ts';
import { createPasskey, PasskeyCancelled, supportsPasskeys } from '../account/passkey.ts';
import { PasswordField } from '../account/sign-in/password-field.tsx';
import { type ApiResponseBody, query, send } from '../data/api.ts';
import { errorText, isRefusal } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Form, FormButtons, FormProblem, TextField, useFirstFocus, useShopForm } from '../ui/form.tsx';
import { Card, Notice, Skeleton } from '../ui/surfaces.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import { AuthenticatorKey } from './security/authenticator-key.tsx';
import { RecoveryCodes } from './security/recovery-codes.tsx';
import { adminSessionQuery } from './session.ts';
import { addTrustedTypesPolicy } from './trusted-types.ts';

addTrustedTypesPolicy();

interface Props {
  shopName: string;
  token: string | undefined;
}
type Invitation = ApiResponseBody<'GET /api/staff-invitation'>;

/**
 * /admin-invitation: an invited person chooses how to sign in. Opening the page changes nothing, because mail scanners
 * open links, too.
 */
export function InvitationPage({ shopName, token = '' }: Props) {
  const { data, error } = useQuery({ ...query('/api/staff-invitation', { query: { token } }), staleTime: Infinity });
  return (
    <section className="wrap flex min-h-[85dvh] flex-col items-center justify-center py-10">
      <div className="w-full max-w-md">
        <Card>
          <p className="text-muted">{shopName}</p>
          {data ? (
            <AcceptInvitation invitation={data} token={token} shopName={shopName} />
          ) : error ? (
            <InvalidInvitation error={error} />
          ) : (
            <div aria-busy className="mt-2 space-y-4">
              <Skeleton className="h-8 w-64" />
              <Skeleton className="h-24" />
              <Skeleton className="h-12" />
            </div>
          )}
        </Card>
      </div>
    </section>
  );
}

function InvalidInvitation({ error }: { error: unknown }) {
  const isInvitationOver = isRefusal(error, 'staff-invitation-invalid') || isRefusal(error, 'invalid-request');
  return (
    <>
      <h1 className="title-3 mt-1">
        {isInvitationOver ? 'This invitation doesn’t work anymore' : 'We couldn’t open the invitation'}
      </h1>
      <p className="mt-3">{errorText(error)}</p>
      <LinkButton look="secondary" wide className="mt-6" to={paths.adminLogin}>
        Go to the admin sign-in
      </LinkButton>
    </>
  );
}

type Step =
  | { is: 'choose' }
  | { is: 'password' }
  | { is: 'code'; password: string }
  | { is: 'codes'; codes: string[] }
  | { is: 'entering' };

function AcceptInvitation({
  invitation,
  token,
  shopName,
}: {
  invitation: Invitation;
  token: string;
  shopName: string;
}) {
  const { name, email, role, expiresAt } = invitation;
  const [step, setStep] = useState<Step>({ is: 'choose' });
  const openPanel = useOpenPanel();
  if (step.is === 'codes') return <RecoveryCodes codes={step.codes} onKept={() => setStep({ is: 'entering' })} />;
  if (step.is === 'entering') return <PanelEntry onEnter={openPanel} />;
  return (
    <>
      <h1 className="title-3 mt-1">Welcome, {name}</h1>
      <p className="mt-3">
        The owner of {shopName} invites you to work in the admin panel as <strong>{roleNames[role]}</strong>.
      </p>
      <p className="mt-1 text-muted">{roleTexts[role]}</p>
      {step.is === 'choose' && (
        <SignInMethodChoice
          token={token}
          onPassword={() => setStep({ is: 'password' })}
          onEnter={openPanel}
          expiresAt={expiresAt}
        />
      )}
      {step.is === 'password' && (
        <PasswordStep
          email={email}
          onDone={(password) => setStep({ is: 'code', password })}
          onBack={() => setStep({ is: 'choose' })}
        />
      )}
      {step.is === 'code' && (
        <FirstCode
          token={token}
          password={step.password}
          onDone={(codes) => setStep({ is: 'codes', codes })}
          onBack={() => setStep({ is: 'password' })}
        />
      )}
    </>
  );
}

/** Opens the panel in the next render. While the recovery codes are shown, leaving the page opens a confirmation. */
function PanelEntry({ onEnter }: { onEnter: () => Promise<void> }) {
  useEffect(() => {
    void onEnter();
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, []);
  return <Skeleton className="mt-6 h-24" />;
}

/** Opens the panel after deleting the cached session, which still says that no one, or someone else, is signed in. */
function useOpenPanel() {
  const queryClient = useQueryClient();
  const goTo = useGoTo();
  return async () => {
    await queryClient.invalidateQueries({ queryKey: adminSessionQuery().queryKey });
    goTo(paths.admin);
  };
}

function SignInMethodChoice(props: {
  token: string;
  expiresAt: string;
  onPassword: () => void;
  onEnter: () => Promise<void>;
}) {
  const { token, expiresAt, onPassword, onEnter } = props;
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const hasPasskeys = useHydrated() && supportsPasskeys();
  const acceptWithPasskey = async () => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      const options = await send('POST /api/staff-invitation/passkey-options', { body: { token } });
      const registration = await createPasskey(options);
      await send('POST /api/staff-invitation/accept', { body: { token, answer: registration } });
      await onEnter();
    } catch (error) {
      if (!(error instanceof PasskeyCancelled))
        setProblem(errorText(error, 'This device can’t create a passkey. Please use a password.'));
    }
    setIsBusy(false);
  };
  return (
    <>
      <h2 className="mt-6 text-lg font-semibold">How do you want to sign in?</h2>
      <div className="mt-4 space-y-3">
        {hasPasskeys && (
          <>
            <Button wide busy={isBusy} busyLabel="Waiting for your device..." onClick={() => void acceptWithPasskey()}>
              <Fingerprint aria-hidden className="size-5" />
              Accept with a passkey
            </Button>
            <p className="text-[0.9375rem] text-muted">
              With your fingerprint, your face or your device’s PIN. You don’t need a password or a code.
            </p>
          </>
        )}
        <div role="alert">{problem && <Notice tone="bad">{problem}</Notice>}</div>
        <Button look="secondary" wide disabled={isBusy} onClick={onPassword}>
          <KeyRound aria-hidden className="size-5" />
          Use a password and a code
        </Button>
        <p className="text-[0.9375rem] text-muted">You’ll need an authenticator app on your phone for the codes.</p>
      </div>
      <p className="mt-6 border-t border-hair pt-4 text-sm text-muted">
        The invitation works until {momentText(expiresAt)}, and only once.
      </p>
    </>
  );
}

function PasswordStep(props: { email: string; onDone: (password: string) => void; onBack: () => void }) {
  const { email, onDone, onBack } = props;
  const form = useShopForm(StaffPasswordForm, { onSubmit: async ({ password }) => onDone(password) });
  useFirstFocus(form, 'password');
  return (
    <Form form={form} label="Your password" className="mt-6 space-y-5">
      <p className="text-muted">
        You’ll sign in as <span className="break-all text-ink">{email}</span>.
      </p>
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        form={form}
        name="password"
        label="New password"
        hint="At least 8 characters, with an uppercase letter, a lowercase letter and a number."
        autoComplete="new-password"
      />
      <PasswordField form={form} name="confirmPassword" label="Confirm password" autoComplete="new-password" />
      <FormProblem form={form} />
      <FormButtons form={form} words="Continue" busyLabel="One moment..." onCancel={onBack} backLabel="Back" />
    </Form>
  );
}

function FirstCode(props: {
  token: string;
  password: string;
  onDone: (recoveryCodes: string[]) => void;
  onBack: () => void;
}) {
  const { token, password, onDone, onBack } = props;
  const { data, error, refetch } = useQuery({
    queryKey: ['staff-invitation-second-factor', token],
    queryFn: () => send('POST /api/staff-invitation/second-factor', { body: { token } }),
    staleTime: Infinity,
  });
  const form = useShopForm(AdminCodeForm, {
    onSubmit: async ({ code }) => {
      const { recoveryCodes = [] } = await send('POST /api/staff-invitation/accept', {
        body: { token, password, code },
      });
      onDone(recoveryCodes);
    },
  });
  useFirstFocus(form, 'code', data !== undefined);
  if (error)
    return (
      <Notice tone="bad" className="mt-6">
        <p>{errorText(error)}</p>
        <Button size="small" className="mt-3" onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    );
  if (!data) return <Skeleton className="mt-6 h-64" />;
  return (
    <>
      <p className="mt-6 text-muted">
        Scan this QR code with your authenticator app, then enter the six digits it shows.
      </p>
      <AuthenticatorKey begun={data} />
      <Form form={form} label="First code" className="mt-5 space-y-5">
        <TextField
          form={form}
          name="code"
          label="Code"
          hint="You accept the invitation with the first correct code."
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
        />
        <FormProblem form={form} />
        <FormButtons form={form} words="Accept" busyLabel="One moment..." onCancel={onBack} backLabel="Back" />
      </Form>
    </>
  );
}
