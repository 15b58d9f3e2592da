/** Letters that prove who someone is. */
import { momentWords } from '#contract/calendar.ts';
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

export function emailConfirmation(letter: LetterOf<'email-confirmation'>): Draft {
  const { shop, firstName, orderNumber, confirmUrl } = letter;
  const validity = count(lifetimes.emailConfirmationDays, 'day');
  return {
    subject: 'Please confirm your email address',
    preview: orderNumber
      ? 'One click, and we know that our mail reaches you.'
      : 'One click, and your orders and photos appear in your account.',
    title: 'Is this your address?',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>
          {`An account at ${shop.name} was made with this email address. Please confirm that it is yours. ${
            orderNumber
              ? `Order ${orderNumber} is in your account already; any others that belong to this address then appear, too.`
              : 'Orders and photos that belong to it then appear in your account.'
          }`}
        </Words>
        <Action href={confirmUrl}>Confirm your address</Action>
        <Note>{`The link works for ${validity}. If you did not make an account, please ignore this mail.`}</Note>
      </>
    ),
  };
}

export function signInLink({ shop, firstName, signInUrl }: LetterOf<'sign-in-link'>): Draft {
  const validity = count(lifetimes.signInLinkMinutes, 'minute');
  return {
    subject: `Your link to sign in to ${shop.name}`,
    preview: `It works once, for ${validity}. No password needed.`,
    title: 'Sign in without a password',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>{`Someone asked for a link to sign in to your ${shop.name} account. If it was you, here it is.`}</Words>
        <Action href={signInUrl}>Sign in</Action>
        <Note>
          {`The link works once, for ${validity}. If it was not you, there is nothing to do: nobody is signed in without this mail, so please do not pass it on.`}
        </Note>
      </>
    ),
  };
}

export function emailChange({ shop, firstName, confirmUrl }: LetterOf<'email-change'>): Draft {
  const validity = count(lifetimes.emailChangeHours, 'hour');
  return {
    subject: 'Please confirm your new email address',
    preview: `From then on your ${shop.name} account goes by this address.`,
    title: 'Is this your new address?',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>
          {`Someone wants their ${shop.name} account to go by this email address. If it was you, please confirm it. Until then everything stays as it is.`}
        </Words>
        <Action href={confirmUrl}>Confirm the new address</Action>
        <Note>{`The link works for ${validity}. If you did not ask for this, please ignore this mail.`}</Note>
      </>
    ),
  };
}

export function emailChanged({ shop, firstName, changedAt, supportUrl }: LetterOf<'email-changed'>): Draft {
  return {
    subject: 'Your account goes by another email address now',
    preview: 'If that was not you, please tell us at once.',
    title: 'Your email address was changed',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>
          {`On ${momentWords(changedAt)} your ${shop.name} account was given another email address. We write to that one from now on; this is our last mail to the old one.`}
        </Words>
        <Words>
          If it was you, there is nothing to do. If it was not, please tell us at once, and we will look into it.
        </Words>
        <Action href={supportUrl}>This was not me</Action>
      </>
    ),
  };
}

export function accountNews({
  shop,
  firstName,
  what,
  passkeyName,
  happenedAt,
  accountUrl,
}: LetterOf<'account-news'>): Draft {
  const isPassword = what === 'password-changed';
  return {
    subject: isPassword ? `Your ${shop.name} password was changed` : `A passkey was added to your ${shop.name} account`,
    preview: 'If that was you, there is nothing to do.',
    title: isPassword ? 'Your password was changed' : 'A new passkey',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>
          {isPassword
            ? `On ${momentWords(happenedAt)} the password of your account was changed. Every other browser was signed out.`
            : `On ${momentWords(happenedAt)} a passkey${passkeyName === undefined ? '' : ` called “${passkeyName}”`} was added to your account. It signs in without your password.`}
        </Words>
        <Words>
          {isPassword
            ? 'If it was not you, please choose a new password with “Forgot your password?” on the sign-in page, at once.'
            : 'If it was not you, please remove it, and choose a new password.'}
        </Words>
        <Action href={accountUrl}>See your account</Action>
      </>
    ),
  };
}
