import * as z from 'zod/mini';
import { emailAddress, trimmed } from './fields.ts';
import { limits } from './limits.ts';

/** A call to the family for photos of one frame. */
export const CollectLinkForm = z.object({
  name: trimmed('Please say what the photos are for', limits.collectNameCharacters),
  lastDay: z.iso.date('Please choose a day'),
});

export const InvitationForm = z.object({ email: emailAddress });

/** What somebody who adds photos is called. */
export const ContributorForm = z.object({
  firstName: trimmed('Please tell us your first name', limits.firstNameCharacters),
});
