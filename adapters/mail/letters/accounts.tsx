/** Letters that prove who someone is. */
import { lifetimes } from '#contract/limits.ts';
import type { LetterOf } from '#contract/letters.ts';
import { Action, Note, Words } from './paper.tsx';
import type { Draft } from './paper.tsx';
import { count, greeting } from './words.ts';

export function passwordReset({ shop, firstName, resetUrl }: LetterOf<'password-reset'>): Draft {
  const validity = count(lifetimes.passwordResetHours, 'hour');
  return {
    subject: `Choose a new password for ${shop.name}`,
    preview: `The link works once, for ${validity}.`,
    title: 'Choose a new password',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>{`Someone asked for a new password for your ${shop.name} account. If it was you, choose one here.`}</Words>
        <Action href={resetUrl}>Choose a new password</Action>
        <Note>
          {`The link works once, for ${validity}. If it was not you, there is nothing to do: your password stays as it is.`}
        </Note>
      </>
    ),
  };
}

export function emailConfirmation({ shop, firstName, confirmUrl }: LetterOf<'email-confirmation'>): Draft {
  const validity = count(lifetimes.emailConfirmationDays, 'day');
  return {
    subject: 'Please confirm your email address',
    preview: 'One click, and your orders and photos appear in your account.',
    title: 'Is this your address?',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>
          {`An account at ${shop.name} was made with this email address. Please confirm that it is yours. Orders and photos that belong to it then appear in your account.`}
        </Words>
        <Action href={confirmUrl}>Confirm your address</Action>
        <Note>{`The link works for ${validity}. If you made no account, please ignore this letter.`}</Note>
      </>
    ),
  };
}
