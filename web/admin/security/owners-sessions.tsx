import { useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { OwnersSession, OwnerSignInMethod } from '#contract/owner/security.ts';
import { SessionList } from '../../account/own/session-list.tsx';
import { send } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { useSecurityChange } from './security-query.ts';

const labelsByMethod: Record<OwnerSignInMethod, string> = {
  password: 'by password',
  'password-and-code': 'by password and code',
  'password-and-recovery-code': 'by password and recovery code',
  passkey: 'by passkey',
  openid: 'through your sign-in provider',
  key: 'by the admin key',
};

/** The owner's sessions. The owner can end one session, or all other sessions at once. */
export function OwnersSessions({ sessions }: { sessions: OwnersSession[] }) {
  const { change } = useSecurityChange();
  const [isEnding, setIsEnding] = useState(false);
  const failedTitle = 'Not signed out';
  const endOtherSessions = async () => {
    setIsEnding(true);
    await change(() => send('POST /api/admin/sessions/end-others'), { done: 'Signed out there', failed: failedTitle });
    setIsEnding(false);
  };
  return (
    <section className="mt-8" aria-labelledby="owners-sessions">
      <h3 id="owners-sessions" className="text-lg font-semibold">
        Where you are signed in
      </h3>
      <SessionList
        sessions={sessions}
        facts={({ createdAt, lastSeenAt, by }) => [
          `Signed in ${shortMomentText(createdAt)}${by === null ? '' : `, ${labelsByMethod[by]}`}`,
          `Last seen ${shortMomentText(lastSeenAt)}`,
        ]}
        onEnd={({ id }) =>
          change(() => send('DELETE /api/admin/sessions/:id', { params: { id } }), {
            done: 'Signed out there',
            failed: failedTitle,
          })
        }
      />
      {sessions.some((it) => !it.isThis) && (
        <Button
          look="secondary"
          className="mt-4"
          busy={isEnding}
          busyLabel="One moment..."
          onClick={() => void endOtherSessions()}
        >
          Sign out everywhere else
        </Button>
      )}
    </section>
  );
}
