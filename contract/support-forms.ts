import * as z from 'zod/mini';
import { emailAddress } from './fields.ts';

/** Rules and texts of specification 1, section 5, shared by the contact and support forms. */
const atLeast = (least: number, words: string, most: number) =>
  z
    .string(words)
    .check(z.trim(), z.minLength(least, words), z.maxLength(most, `Please use at most ${most} characters`));

export const ContactForm = z.object({
  name: atLeast(2, 'Name must be at least 2 characters', 200),
  email: emailAddress,
  subject: atLeast(5, 'Subject must be at least 5 characters', 200),
  message: atLeast(10, 'Message must be at least 10 characters', 5000),
});

export const SupportForm = z.extend(ContactForm, {
  phone: z.optional(z.string().check(z.trim(), z.maxLength(40, 'This phone number is too long'))),
  smsConsent: z._default(z.boolean(), false),
  /** Hidden from people; whoever fills it is a robot. */
  _honeypot: z.optional(z.string().check(z.maxLength(500))),
});

/** The contact form sends the same call, marked. */
export const SupportBody = z.extend(SupportForm, { kind: z._default(z.enum(['support', 'contact']), 'support') });

/** The owner's notes on a ticket. */
export const ticketNotes = z.string().check(z.maxLength(5000, 'Please use at most 5000 characters'));

/** The owner's answer, mailed to whoever asked. */
export const AnswerForm = z.object({
  answer: atLeast(1, 'Please write your answer first.', 5000),
});
export const AnswerBody = z.extend(AnswerForm, {
  /** Complete the ticket with it. */
  complete: z._default(z.boolean(), false),
  /** The same key sent again is the same answer. */
  key: z.optional(z.uuid()),
});
