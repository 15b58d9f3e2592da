import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadErrorNotice } from '../not-loaded.tsx';
import { uncachedQueryOptions, useSessionEndOn } from '../session.ts';
import { OwnersPasskeys } from './owners-passkeys.tsx';
import { OwnersSessions } from './owners-sessions.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { IdentityProofForm, SecondFactor } from './second-factor.tsx';
import { securityQuery, useSecurityChange } from './security-query.ts';
import { SecuritySkeleton } from './security-skeleton.tsx';
import { SecondFactorSetup } from './set-up.tsx';

/** A task that replaces the content of the dialog while it is open. Without a task, the dialog shows all its parts. */
type Task = 'set-up' | 'off' | 'recovery-codes' | { codes: string[] };

export function Security() {
  const { data, error, refetch } = useQuery({ ...securityQuery(), ...uncachedQueryOptions });
  const [task, setTask] = useState<Task>();
  const { refresh } = useSecurityChange();
  useSessionEndOn(error);
  const showAllTasks = () => setTask(undefined);
  const showCodes = (codes: string[]) => {
    setTask({ codes });
    void refresh();
  };
  if (!data)
    return error ? (
      <LoadErrorNotice title="We couldn’t load the sign-ins" error={error} onRetry={refetch} className="mt-6" />
    ) : (
      <SecuritySkeleton />
    );
  const { sessions, secondFactor, passkeys, hasPassword } = data;
  if (task === 'set-up') return <SecondFactorSetup onDone={showCodes} onCancel={showAllTasks} />;
  if (task === 'off' || task === 'recovery-codes')
    return (
      <IdentityProofForm
        what={task}
        withCode={secondFactor.isAsked}
        onCodes={showCodes}
        onOff={showAllTasks}
        onCancel={showAllTasks}
      />
    );
  if (task) return <RecoveryCodes codes={task.codes} onKept={showAllTasks} />;
  return (
    <>
      {hasPassword && <SecondFactor factor={secondFactor} onTask={setTask} />}
      <OwnersPasskeys
        passkeys={passkeys}
        hasSecondStep={!hasPassword || (secondFactor.since !== null && secondFactor.isAsked)}
      />
      <OwnersSessions sessions={sessions} />
    </>
  );
}
