import * as z from 'zod/mini';
import { emailAddressField } from './fields.ts';

/** The address to which visitors send the link to their own video. */
export const TrialMailForm = z.object({ email: emailAddressField });
