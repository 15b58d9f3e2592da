import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';
import { EditStaffForm, InviteStaffForm } from '#contract/staff-forms.ts';
import { roles } from './areas.ts';

export const StaffMember = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role: z.enum(roles),
    /** `removed`: the person has no access. The name stays, because the audit trail shows it. */
    state: z.enum(['invited', 'active', 'removed']),
    invitedAt: z.iso.datetime(),
    acceptedAt: z.iso.datetime().nullable(),
    removedAt: z.iso.datetime().nullable(),
    /** Whether this is the person who sends the request. */
    isYou: z.boolean(),
  })
  .meta({ id: 'StaffMember' });
export type StaffMember = z.infer<typeof StaffMember>;

const Members = z.object({
  /** Oldest first, also removed ones. */
  members: z.array(StaffMember),
});
const id = z.object({ id: z.string().max(64) });

export const ownerStaff = {
  'GET /api/admin/staff': {
    summary: 'List the people who work in the panel, and those who were removed',
    who: 'admin',
    area: 'security',
    response: Members,
  },
  'POST /api/admin/staff': {
    summary: 'Invite a person to work in the panel, by email',
    who: 'admin',
    area: 'security',
    body: InviteStaffForm,
    response: Members,
    refusals: ['staff-email-taken'],
    rate: 'prove-again',
    stepUp: 'person',
  },
  'PUT /api/admin/staff/:id': {
    summary: 'Change the name or the role of a person. A new role signs the person out',
    who: 'admin',
    area: 'security',
    params: id,
    body: EditStaffForm,
    response: Members,
    refusals: ['not-found', 'own-access'],
    stepUp: 'person',
  },
  'POST /api/admin/staff/:id/invitation': {
    summary: 'Email a new invitation and end the earlier one',
    who: 'admin',
    area: 'security',
    params: id,
    response: Members,
    refusals: ['not-found', 'staff-already-active'],
    rate: 'prove-again',
    stepUp: 'person',
  },
  /** Removing someone is urgent, so it needs no step-up. */
  'DELETE /api/admin/staff/:id': {
    summary: 'Remove a person from the panel, or withdraw an invitation; their sessions end at once',
    who: 'admin',
    area: 'security',
    params: id,
    response: Members,
    refusals: ['not-found', 'own-access'],
  },
} satisfies Operations;
