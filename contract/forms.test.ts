import { describe, expect, test } from 'vitest';
import type { ZodMiniType } from 'zod/mini';
import * as account from './account-forms.ts';
import { builtInSite } from './built-in-site.ts';
import { Site, SiteForm } from './content-forms.ts';
import { CustomerDetailsForm, detailsForms } from './customer-details.ts';
import { ContactForm, SupportBody, SupportForm } from './support-forms.ts';

/** Returns a form's error messages by field. The key '' is for the whole form. */
function findMessages(form: ZodMiniType, input: unknown): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const { path, message } of form.safeParse(input).error?.issues ?? []) messages[path.join('.')] ??= message;
  return messages;
}

describe('contact and support (specification 1, section 5)', () => {
  const supportQuestion = {
    name: 'Anna',
    email: 'anna@example.com',
    subject: 'My frame',
    message: 'It does not wake up.',
  };
  test.each([ContactForm, SupportForm])('the form shows the specified error messages', (form) => {
    expect(findMessages(form, supportQuestion)).toEqual({});
    expect(findMessages(form, { name: 'A', email: 'anna@', subject: 'Help', message: 'Too short' })).toEqual({
      name: 'Name must be at least 2 characters',
      email: 'Please enter a valid email address',
      subject: 'Subject must be at least 5 characters',
      message: 'Message must be at least 10 characters',
    });
    expect(findMessages(form, {})).toEqual(findMessages(form, { name: '', email: '', subject: '', message: '' }));
    expect(findMessages(form, { ...supportQuestion, name: '  A  ', message: '   nine     ' })).toEqual({
      name: 'Name must be at least 2 characters',
      message: 'Message must be at least 10 characters',
    });
  });
  test('the phone number is optional, SMS consent defaults to no, and a contact message keeps its own kind', () => {
    expect(SupportBody.parse(supportQuestion)).toEqual({ ...supportQuestion, smsConsent: false, kind: 'support' });
    expect(SupportBody.parse({ ...supportQuestion, kind: 'contact', phone: ' 1 ' })).toMatchObject({
      kind: 'contact',
      phone: '1',
    });
  });
});

describe('customer details (specification 1, section 5)', () => {
  const address = { line1: '12 Linden Street', city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' };
  const person = { firstName: 'Anna', lastName: 'Keller', email: 'anna@example.com' };
  test('the form shows the specified error messages', () => {
    expect(findMessages(detailsForms.US, { ...person, address })).toEqual({});
    expect(findMessages(CustomerDetailsForm, person)).toEqual({}); // no address: the service ships nothing
    const blankAddress = { line1: ' ', city: '', state: '', postalCode: '', country: 'US' };
    expect(findMessages(detailsForms.US, { firstName: '', lastName: ' ', email: 'x', address: blankAddress })).toEqual({
      firstName: 'First name is required',
      lastName: 'Last name is required',
      email: 'Please enter a valid email address',
      'address.line1': 'Address is required',
      'address.city': 'City is required',
      'address.state': 'State is required',
      'address.postalCode': 'ZIP code is required',
    });
  });
  test('addresses in the United States and Canada each need a region and postal code of their own country', () => {
    const canadianAddress = { ...address, state: 'ON', postalCode: 'k1a0b1', country: 'CA' };
    expect(CustomerDetailsForm.parse({ ...person, address: canadianAddress }).address?.postalCode).toBe('K1A 0B1');
    expect(findMessages(CustomerDetailsForm, { ...person, address: { ...address, country: 'CA' } })).toEqual({
      'address.state': 'Province or territory is required',
      'address.postalCode': 'Please enter a postal code like K1A 0B1',
    });
    expect(findMessages(CustomerDetailsForm, { ...person, address: { ...canadianAddress, country: 'US' } })).toEqual({
      'address.state': 'State is required',
      'address.postalCode': 'Please enter a ZIP code like 10001 or 10001-2345',
    });
    for (const country of ['DE', 7, null])
      expect(findMessages(CustomerDetailsForm, { ...person, address: { ...address, country } })).toEqual({
        'address.country': 'Please choose United States or Canada',
      });
  });
  test('an address without a country is in the United States', () => {
    const sentForm = { ...person, address: { ...address, country: undefined } };
    expect(CustomerDetailsForm.parse(sentForm).address).toEqual(address);
  });
  test('an email address is trimmed and converted to lower case', () => {
    expect(CustomerDetailsForm.parse({ ...person, email: '  Anna@Example.COM ' }).email).toBe('anna@example.com');
  });
});

describe('accounts (specification 2, section 5)', () => {
  test('the sign-in form shows the specified error messages', () => {
    const missingFieldsMessage = 'Please enter both email and password';
    expect(findMessages(account.SignInForm, {})).toEqual({
      email: missingFieldsMessage,
      password: missingFieldsMessage,
    });
    expect(findMessages(account.SignInForm, { email: ' ', password: '' })).toEqual({
      email: missingFieldsMessage,
      password: missingFieldsMessage,
    });
    expect(findMessages(account.SignInForm, { email: 'anna', password: 'x' })).toEqual({
      email: 'Please enter a valid email address',
    });
  });
  test('the sign-up form shows the specified error messages', () => {
    const fillAllText = 'Please fill in all fields';
    const form = {
      firstName: 'Anna',
      lastName: 'Keller',
      email: 'anna@example.com',
      password: 'sun-12',
      confirmPassword: 'sun-12',
    };
    expect(findMessages(account.SignUpForm, form)).toEqual({});
    expect(findMessages(account.SignUpBody, {})).toEqual({
      firstName: fillAllText,
      lastName: fillAllText,
      email: fillAllText,
      password: fillAllText,
    });
    expect(findMessages(account.SignUpBody, { ...form, firstName: '  ' })).toEqual({ firstName: fillAllText });
    expect(findMessages(account.SignUpBody, { ...form, email: 'anna.example.com' })).toEqual({
      email: 'Please enter a valid email address',
    });
    expect(findMessages(account.SignUpBody, { ...form, password: 'short' })).toEqual({
      password: 'Password must be at least 6 characters long',
    });
    expect(findMessages(account.SignUpForm, { ...form, confirmPassword: 'sun-13' })).toEqual({
      confirmPassword: 'Passwords do not match',
    });
    expect(account.SignUpBody.parse({ ...form, firstName: ' Anna ', email: ' ANNA@example.com ' })).toMatchObject({
      firstName: 'Anna',
      email: 'anna@example.com',
    });
  });
  test('refuses an email address that is longer than a mailbox can be', () => {
    const email = `${'a'.repeat(300)}@example.com`;
    const expectedMessages = { email: 'Please enter a valid email address' };
    const otherFields = { firstName: 'Anna', lastName: 'Keller', password: 'sun-12' };
    expect(findMessages(account.SignUpBody, { ...otherFields, email })).toEqual(expectedMessages);
    expect(findMessages(account.SignInForm, { ...otherFields, email })).toEqual(expectedMessages);
    expect(findMessages(account.ForgotPasswordForm, { email })).toEqual(expectedMessages);
    expect(findMessages(CustomerDetailsForm, { ...otherFields, email })).toEqual(expectedMessages);
  });
  test('the forgotten-password form shows the specified error messages', () => {
    expect(findMessages(account.ForgotPasswordForm, { email: '' })).toEqual({
      email: 'Please enter your email address',
    });
    expect(findMessages(account.ForgotPasswordForm, { email: 'anna' })).toEqual({
      email: 'Please enter a valid email address',
    });
  });
  test('the form for a new password by mailed link shows the specified error messages', () => {
    expect(findMessages(account.ResetPasswordBody, { token: '', password: '' })).toEqual({
      token: 'Reset token is missing or invalid',
      password: 'Please enter a new password',
    });
    expect(findMessages(account.ResetPasswordForm, { password: 'short', confirmPassword: 'short' })).toEqual({
      password: 'Password must be at least 6 characters long',
    });
    expect(findMessages(account.ResetPasswordForm, { password: 'longer', confirmPassword: 'other1' })).toEqual({
      confirmPassword: 'Passwords do not match',
    });
  });
  test('the form that completes a registration requires a strong password, typed twice', () => {
    const parsePasswords = (password: string, confirmPassword = password) =>
      findMessages(account.CompleteRegistrationForm, { password, confirmPassword });
    const mixedPasswordText =
      'Password must contain at least one uppercase letter, one lowercase letter, and one number';
    expect(parsePasswords('Sunflower7')).toEqual({});
    expect(parsePasswords('Sunny-7')).toEqual({ password: 'Password must be at least 8 characters' });
    expect(parsePasswords('sunflower7')).toEqual({ password: mixedPasswordText });
    expect(parsePasswords('SUNFLOWER7')).toEqual({ password: mixedPasswordText });
    expect(parsePasswords('Sunflowers')).toEqual({ password: mixedPasswordText });
    expect(parsePasswords('Sunflower7', 'Sunflower8')).toEqual({ confirmPassword: "Passwords don't match" });
  });
  test('refuses a password of more than 128 characters', () => {
    const password = `Aa1${'x'.repeat(126)}`;
    expect(findMessages(account.CompleteRegistrationBody, { password })).toEqual({
      password: 'Please use at most 128 characters',
    });
    expect(findMessages(account.ResetPasswordBody, { token: 't', password })).toEqual({
      password: 'Please use at most 128 characters',
    });
  });
});

describe('Site Settings', () => {
  test('saves only phone numbers that can be dialed, but still reads older values', () => {
    const findPhoneMessages = (phone: string) => findMessages(SiteForm, { ...builtInSite, phone });
    for (const phone of ['', '911', '+1 (503) 555-0100', '503.555.0100', '030/1234'])
      expect(findPhoneMessages(phone)).toEqual({});
    for (const phone of ['abc', '12', '+-()', '503 555 0100 ext'])
      expect(findPhoneMessages(phone)).toEqual({ phone: 'Please enter a phone number, like +1 503 555 0100' });
    expect(findMessages(Site, { ...builtInSite, phone: 'abc' })).toEqual({});
  });
});
