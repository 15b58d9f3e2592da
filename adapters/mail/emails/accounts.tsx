/** Emails about accounts: links that prove an identity, sign-ins and changes. */
import { momentText } from '#contract/calendar.ts';
import { lifetimes } from '#contract/limits.ts';
import type { EmailOf } from '#contract/emails.ts';
import { EmailButton, EmailNote, Paragraph } from './email-layout.tsx';
import type { EmailDraft } from './email-layout.tsx';
import { mailCountText, formatGreeting } from './email-text.ts';

export function composePasswordResetEmail({ shop, firstName, resetUrl }: EmailOf<'password-reset'>): EmailDraft {
  const validity = mailCountText(lifetimes.passwordResetHours, 'hour');
  return {
    subject: `Choose a new password for ${shop.name}`,
    preview: `The link works once, for ${validity}.`,
    title: 'Choose a new password',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>{`Someone requested a new password for your ${shop.name} account. If it was you, choose one here.`}</Paragraph>
        <EmailButton href={resetUrl}>Choose a new password</EmailButton>
        <EmailNote>
          {`The link works once, for ${validity}. If it wasn’t you, you don’t need to do anything. Your password stays the same.`}
        </EmailNote>
      </>
    ),
  };
}

export function composeEmailConfirmation(content: EmailOf<'email-confirmation'>): EmailDraft {
  const { shop, firstName, orderNumber, confirmUrl } = content;
  const validity = mailCountText(lifetimes.emailConfirmationDays, 'day');
  return {
    subject: 'Please confirm your email address',
    preview: orderNumber
      ? 'Just one click, so we know our emails reach you.'
      : 'Just one click, and your orders and photos will show up in your account.',
    title: 'Is this your email address?',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          {`Someone created a ${shop.name} account with this email address. Please confirm that it’s yours. ${
            orderNumber
              ? `Order ${orderNumber} is already in your account. Any other orders with this email address will show up there, too.`
              : 'Your orders and photos will then appear in your account.'
          }`}
        </Paragraph>
        <EmailButton href={confirmUrl}>Confirm your email</EmailButton>
        <EmailNote>
          {`The link works for ${validity}. Open it in the browser where you’re signed in, or choose a password on the page. If you didn’t create an account, please ignore this email. Your orders stay private unless you confirm.`}
        </EmailNote>
      </>
    ),
  };
}

export function composeSignInLinkEmail({ shop, firstName, signInUrl }: EmailOf<'sign-in-link'>): EmailDraft {
  const validity = mailCountText(lifetimes.signInLinkMinutes, 'minute');
  return {
    subject: `Your link to sign in to ${shop.name}`,
    preview: `It works once, for ${validity}. No password needed.`,
    title: 'Sign in without a password',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>{`Someone requested a link to sign in to your ${shop.name} account. If it was you, here it is.`}</Paragraph>
        <EmailButton href={signInUrl}>Sign in</EmailButton>
        <EmailNote>
          {`The link works once, for ${validity}. If it wasn’t you, you don’t need to do anything. The link signs in without a password, so please don’t forward this email.`}
        </EmailNote>
      </>
    ),
  };
}

export function composeEmailChangeRequest({ shop, firstName, confirmUrl }: EmailOf<'email-change'>): EmailDraft {
  const validity = mailCountText(lifetimes.emailChangeHours, 'hour');
  return {
    subject: 'Please confirm your new email address',
    preview: `Once you confirm, your ${shop.name} account uses this email address.`,
    title: 'Is this your new email address?',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          {`Someone wants to use this email address for their ${shop.name} account. If that’s you, open the link in the browser where you’re signed in and confirm the change. Until then, nothing changes.`}
        </Paragraph>
        <EmailButton href={confirmUrl}>Confirm the new email</EmailButton>
        <EmailNote>{`The link works for ${validity}. If you didn’t request this, please ignore this email.`}</EmailNote>
      </>
    ),
  };
}

export function composeEmailChangedNotice({
  shop,
  firstName,
  changedAt,
  supportUrl,
}: EmailOf<'email-changed'>): EmailDraft {
  return {
    subject: 'Your account has a new email address',
    preview: 'If that wasn’t you, please let us know right away.',
    title: 'Your email address was changed',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          {`The email address of your ${shop.name} account was changed on ${momentText(changedAt)}. From now on, we’ll write to the new address. This is our last email to the old one.`}
        </Paragraph>
        <Paragraph>
          If it was you, you don’t need to do anything. If it wasn’t, please let us know right away, and we’ll look into
          it.
        </Paragraph>
        <EmailButton href={supportUrl}>This wasn’t me</EmailButton>
      </>
    ),
  };
}

export function composeNewSignInEmail({
  shop,
  firstName,
  happenedAt,
  device,
  endUrl,
}: EmailOf<'new-sign-in'>): EmailDraft {
  return {
    subject: `A new sign-in to your ${shop.name} account`,
    preview: 'If that was you, you don’t need to do anything.',
    title: 'A sign-in from a new browser',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          {`On ${momentText(happenedAt)} someone signed in to your account from a new browser: ${device}.`}
        </Paragraph>
        <Paragraph>
          If it was you, you don’t need to do anything. If it wasn’t, please sign that browser out. The page will show
          you what to do next.
        </Paragraph>
        <EmailButton href={endUrl}>This wasn’t me</EmailButton>
        <EmailNote>{`The link works for ${mailCountText(lifetimes.endSignInDays, 'day')}. Nothing changes until you press the button on the page.`}</EmailNote>
      </>
    ),
  };
}

export function composeAccountNewsEmail({
  shop,
  firstName,
  what,
  passkeyName,
  happenedAt,
  accountUrl,
}: EmailOf<'account-news'>): EmailDraft {
  const isPassword = what === 'password-changed';
  return {
    subject: isPassword ? `Your ${shop.name} password was changed` : `A passkey was added to your ${shop.name} account`,
    preview: 'If that was you, you don’t need to do anything.',
    title: isPassword ? 'Your password was changed' : 'A new passkey',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          {isPassword
            ? `The password of your account was changed on ${momentText(happenedAt)}. Every other browser was signed out.`
            : `On ${momentText(happenedAt)} a passkey${passkeyName === undefined ? '' : ` called “${passkeyName}”`} was added to your account. You can use it to sign in without your password.`}
        </Paragraph>
        <Paragraph>
          {isPassword
            ? 'If this wasn’t you, please choose a new password right away with “Forgot your password?” on the sign-in page.'
            : 'If this wasn’t you, please remove the passkey and choose a new password.'}
        </Paragraph>
        <EmailButton href={accountUrl}>See your account</EmailButton>
      </>
    ),
  };
}
