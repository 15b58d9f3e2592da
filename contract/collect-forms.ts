import * as z from 'zod/mini';
import { emailAddressField, requiredTextField } from './fields.ts';
import { limits } from './limits.ts';

/** Invites family and friends to add photos to one frame. */
export const CollectLinkForm = z.object({
  name: requiredTextField('Please enter what the photos are for', limits.collectNameCharacters),
  lastDay: z.iso.date('Please choose a day'),
});

export const InvitationForm = z.object({ email: emailAddressField });

/** The contributor's name. */
export const ContributorForm = z.object({
  firstName: requiredTextField('Please tell us your first name', limits.firstNameCharacters),
});
