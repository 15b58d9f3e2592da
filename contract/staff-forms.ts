import * as z from 'zod/mini';
import { adminCode, PasskeyAnswer, currentPasswordField, strongPassword } from './account-forms.ts';
import { emailAddressField, looseEmailField, requiredTextField } from './fields.ts';
import { roles } from './owner/areas.ts';

const role = z.enum(roles, 'Please choose a role');
const name = requiredTextField('Please enter a name', 80);

/** The owner invites a person to work in the panel. */
export const InviteStaffForm = z.object({ name, email: emailAddressField, role });
export const EditStaffForm = z.object({ name, role });

export const StaffSignInForm = z.object({
  email: looseEmailField('Please enter your email address'),
  password: currentPasswordField,
});

const token = z.string().check(z.minLength(1), z.maxLength(200));
export const InvitationToken = z.object({ token });

/** Accepts an invitation: with a passkey, or with a password and the first code of an authenticator app. */
export const AcceptInvitationBody = z
  .object({
    token,
    answer: z.optional(PasskeyAnswer),
    password: z.optional(strongPassword),
    code: z.optional(adminCode),
  })
  .check(
    z.refine(
      ({ answer, password, code }) =>
        answer === undefined
          ? password !== undefined && code !== undefined
          : password === undefined && code === undefined,
      { error: 'Please send a passkey response, or a password and a code' },
    ),
  );

const passwordPair = { password: strongPassword, confirmPassword: z.string() };
/** The form in which a staff member enters a password. The sign-in code is entered in the next step. */
export const StaffPasswordForm = z
  .object(passwordPair)
  .check(
    z.refine((it) => it.password === it.confirmPassword, { error: "Passwords don't match", path: ['confirmPassword'] }),
  );
