import { useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { shortDayText } from '#contract/calendar.ts';
import { type Role, roleNames, roles, roleTexts } from '#contract/owner/areas.ts';
import type { StaffMember } from '#contract/owner/staff.ts';
import { EditStaffForm, InviteStaffForm } from '#contract/staff-forms.ts';
import { type ApiResponseBody, query, send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons, FormProblem, SelectField, TextField, useShopForm } from '../../ui/form.tsx';
import { Badge, Card, EmptyState, Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { refreshList } from '../list/list-query.ts';
import { LoadErrorNotice } from '../not-loaded.tsx';
import { uncachedQueryOptions, useSessionEnd, useSessionEndOn } from '../session.ts';
import { sendWithStepUp } from '../step-up/step-up.ts';

export const staffQuery = () => query('/api/admin/staff');
const roleOptions = roles.map((value) => ({ value, label: roleNames[value] }));
type Members = ApiResponseBody<'GET /api/admin/staff'>;

/** The people who work in the panel: invite, change the role, remove. */
export function StaffSection() {
  const { data, error, refetch } = useQuery({ ...staffQuery(), ...uncachedQueryOptions });
  useSessionEndOn(error);
  const [isInviting, setIsInviting] = useState(false);
  const members = data?.members.filter(({ state }) => state !== 'removed') ?? [];
  const removedMembers = data?.members.filter(({ state }) => state === 'removed') ?? [];
  return (
    <section aria-labelledby="settings-staff">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 id="settings-staff" className="title-3">
            Staff
          </h2>
          <p className="mt-1 text-muted">
            People who help you in this panel. Each one signs in with their own passkey or password, and sees only what
            their role needs.
          </p>
        </div>
        {members.length > 0 && (
          <Button look="secondary" onClick={() => setIsInviting(true)}>
            <UserPlus aria-hidden className="size-4.5" />
            Invite...
          </Button>
        )}
      </div>
      <div className="mt-5">
        {data ? (
          <>
            {members.length === 0 ? (
              <EmptyState
                icon={<Users aria-hidden className="size-7" />}
                title="You work alone so far"
                action={<Button onClick={() => setIsInviting(true)}>Invite someone</Button>}
              >
                Invite someone by email, and choose what they can do. You can remove them at any time.
              </EmptyState>
            ) : (
              <Card className="py-2 sm:py-3">
                <ul className="divide-y divide-hair">
                  {members.map((member) => (
                    <li key={member.id}>
                      <Member member={member} />
                    </li>
                  ))}
                </ul>
              </Card>
            )}
            {removedMembers.length > 0 && (
              <details className="mt-3">
                <summary className="min-h-11 cursor-pointer py-2.5 text-muted">
                  {removedMembers.length === 1
                    ? '1 person was removed'
                    : `${removedMembers.length} people were removed`}
                </summary>
                <ul className="space-y-1 text-[0.9375rem] text-muted">
                  {removedMembers.map(({ id, name, email, removedAt }) => (
                    <li key={id} className="wrap-anywhere">
                      {name}, {email}, removed {shortDayText(removedAt!)}
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        ) : error ? (
          <LoadErrorNotice title="We couldn’t load your staff" error={error} onRetry={refetch} />
        ) : (
          <Skeleton className="h-32 rounded-lg" />
        )}
      </div>
      <Dialog open={isInviting} onOpenChange={setIsInviting} title="Invite someone">
        <InviteForm onDone={() => setIsInviting(false)} />
      </Dialog>
    </section>
  );
}

function Member({ member }: { member: StaffMember }) {
  const { id, name, email, role, state, invitedAt, acceptedAt, isYou } = member;
  const [open, setOpen] = useState<'edit' | 'remove'>();
  const [isBusy, setIsBusy] = useState(false);
  const showMembers = useShowMembers();
  const handleSessionEnd = useSessionEnd();
  const isInvited = state === 'invited';
  const inviteAgain = async () => {
    setIsBusy(true);
    try {
      showMembers(await sendWithStepUp('POST /api/admin/staff/:id/invitation', { params: { id } }));
      toast({
        title: 'Invitation sent',
        description: `We emailed a new link to ${email}. The earlier link doesn’t work anymore.`,
      });
    } catch (error) {
      toast({ title: 'Not sent', description: errorText(error), destructive: true });
      handleSessionEnd(error);
    }
    setIsBusy(false);
  };
  const removeMember = async () => {
    try {
      showMembers(await send('DELETE /api/admin/staff/:id', { params: { id } }));
      toast({
        title: isInvited ? 'Invitation withdrawn' : 'Removed',
        description: isInvited ? 'The link doesn’t work anymore.' : `${name} is signed out everywhere.`,
      });
    } catch (error) {
      toast({ title: 'Not removed', description: errorText(error), destructive: true });
      handleSessionEnd(error);
      throw error;
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold wrap-anywhere">
          {name} {isYou && <span className="font-normal text-muted">(you)</span>}
          <Badge tone={isInvited ? 'warn' : 'neutral'}>{isInvited ? 'Invited' : roleNames[role]}</Badge>
        </p>
        <p className="text-[0.9375rem] wrap-anywhere text-muted">
          {email}
          {isInvited
            ? `, ${roleNames[role]}, invited ${shortDayText(invitedAt)}`
            : `, since ${shortDayText(acceptedAt!)}`}
        </p>
      </div>
      {!isYou && (
        <div className="flex flex-wrap gap-2">
          {isInvited && (
            <Button look="secondary" size="small" busy={isBusy} onClick={() => void inviteAgain()}>
              Send again
            </Button>
          )}
          <Button look="secondary" size="small" aria-label={`Change ${name}`} onClick={() => setOpen('edit')}>
            Change...
          </Button>
          <Button look="secondary" size="small" aria-label={`Remove ${name}`} onClick={() => setOpen('remove')}>
            {isInvited ? 'Withdraw...' : 'Remove...'}
          </Button>
        </div>
      )}
      <Dialog open={open === 'edit'} onOpenChange={() => setOpen(undefined)} title={`Change ${name}`}>
        <EditForm member={member} onDone={() => setOpen(undefined)} />
      </Dialog>
      <ConfirmDialog
        open={open === 'remove'}
        onOpenChange={() => setOpen(undefined)}
        title={isInvited ? `Withdraw the invitation of ${name}?` : `Remove ${name}?`}
        description={
          isInvited
            ? 'The emailed link stops working.'
            : `${name} is signed out everywhere at once, and can’t sign in anymore. The audit trail keeps the name. We don’t send an email about it.`
        }
        confirmLabel={isInvited ? 'Withdraw' : 'Remove'}
        busyLabel="Removing..."
        destructive
        onConfirm={removeMember}
      />
    </div>
  );
}

function useShowMembers() {
  const queryClient = useQueryClient();
  return (members: Members) => {
    queryClient.setQueryData(staffQuery().queryKey, members);
    void refreshList(queryClient, 'audit');
  };
}

function InviteForm({ onDone }: { onDone: () => void }) {
  const showMembers = useShowMembers();
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm(InviteStaffForm, {
    defaultValues: { name: '', email: '', role: 'support' as Role },
    onSubmit: async (body) => {
      showMembers(await sendWithStepUp('POST /api/admin/staff', { body }));
      toast({ title: 'Invitation sent', description: `We emailed ${body.email} a link that works for 7 days.` });
      onDone();
    },
    onProblem: (_, error) => handleSessionEnd(error),
  });
  return (
    <Form form={form} label="Invite someone" className="mt-6 space-y-5">
      <TextField form={form} name="name" label="Name" hint="The audit trail shows it." autoComplete="off" />
      <TextField form={form} name="email" label="Email" type="email" inputMode="email" autoComplete="off" />
      <SelectField form={form} name="role" label="Role" hint={roleTexts[form.watch('role')]} options={roleOptions} />
      <FormProblem form={form} />
      <FormButtons form={form} words="Send invitation" busyLabel="Sending..." onCancel={onDone} />
    </Form>
  );
}

function EditForm({ member, onDone }: { member: StaffMember; onDone: () => void }) {
  const showMembers = useShowMembers();
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm(EditStaffForm, {
    defaultValues: { name: member.name, role: member.role },
    onSubmit: async (body) => {
      showMembers(await sendWithStepUp('PUT /api/admin/staff/:id', { params: { id: member.id }, body }));
      toast({ title: 'Saved', description: `${body.name}: ${roleNames[body.role]}.` });
      onDone();
    },
    onProblem: (_, error) => handleSessionEnd(error),
  });
  const role = form.watch('role');
  const isNewRole = role !== member.role && member.state === 'active';
  return (
    <Form form={form} label={`Change ${member.name}`} className="mt-6 space-y-5">
      <TextField form={form} name="name" label="Name" autoComplete="off" />
      <SelectField form={form} name="role" label="Role" hint={roleTexts[role]} options={roleOptions} />
      {isNewRole && <p className="text-muted">{member.name} has to sign in again.</p>}
      <FormProblem form={form} />
      <FormButtons form={form} words="Save" busyLabel="Saving..." onCancel={onDone} />
    </Form>
  );
}
