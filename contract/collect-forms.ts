import * as z from 'zod/mini';
import { emailAddress, requiredText } from './fields.ts';
import { limits } from './limits.ts';

/** Invites family and friends to add photos to one frame. */
export const CollectLinkForm = z.object({
  name: requiredText('Please enter what the photos are for', limits.collectNameCharacters),
  lastDay: z.iso.date('Please choose a day'),
});

export const InvitationForm = z.object({ email: emailAddress });

/** The contributor's name. */
export const ContributorForm = z.object({
  firstName: requiredText('Please tell us your first name', limits.firstNameCharacters),
});
