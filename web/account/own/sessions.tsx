import { useQueryClient } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import type { SessionView } from '#contract/account.ts';
import { momentText } from '#contract/calendar.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { rememberCustomer, useGoTo } from '../customer.ts';
import { useBeforeSignOut } from '../signed-in.tsx';
import { TitledCard } from '../titled-card.tsx';
import { useAccountChange } from './account-query.ts';
import { SessionList } from './session-list.tsx';

/** The customer's sessions, with buttons to sign out one of them or all of them. */
export function Sessions({ sessions }: { sessions: SessionView[] }) {
  const queryClient = useQueryClient();
  const goTo = useGoTo();
  const runBeforeSignOut = useBeforeSignOut();
  const { change } = useAccountChange();
  const [isLeaving, setIsLeaving] = useState(false);
  const endSession = ({ id }: SessionView) =>
    change(() => send('DELETE /api/account/sessions/:id', { params: { id } }), {
      done: 'Signed out there',
      failed: 'Not signed out',
    });
  const endAllSessions = async () => {
    try {
      const { message } = await send('POST /api/account/sessions/logout');
      runBeforeSignOut();
      toast({ title: 'Logged Out', description: message });
      rememberCustomer(queryClient, null);
      goTo(paths.signIn);
    } catch (error) {
      toast({ title: 'Not signed out', description: errorText(error), destructive: true });
      throw error;
    }
  };
  return (
    <TitledCard icon={MonitorSmartphone} title="Where you are signed in">
      <SessionList
        sessions={sessions}
        facts={({ lastSeenAt }) => [`Last seen ${momentText(lastSeenAt)}`]}
        onEnd={endSession}
      />
      <Button look="secondary" className="mt-4" onClick={() => setIsLeaving(true)}>
        Sign out everywhere
      </Button>
      <ConfirmDialog
        open={isLeaving}
        onOpenChange={setIsLeaving}
        title="Sign out everywhere?"
        description="You’ll be signed out of every browser, including this one. You can sign in again at any time."
        confirmLabel="Sign out everywhere"
        onConfirm={endAllSessions}
      />
    </TitledCard>
  );
}
