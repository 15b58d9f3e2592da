import * as z from 'zod/mini';
import { limits } from './limits.ts';
import { emailAddressField, phoneNumberField, tidyTextCheck } from './fields.ts';

/** Rules and texts of specification 1, section 5, shared by the contact and support forms. */
const textOfAtLeast = (least: number, words: string, most: number) =>
  z
    .string(words)
    .check(tidyTextCheck, z.minLength(least, words), z.maxLength(most, `Please use at most ${most} characters`));

export const ContactForm = z.object({
  name: textOfAtLeast(2, 'Name must be at least 2 characters', 200),
  email: emailAddressField,
  subject: textOfAtLeast(5, 'Subject must be at least 5 characters', 200),
  message: textOfAtLeast(10, 'Message must be at least 10 characters', 5000),
});

export const SupportForm = z.extend(ContactForm, {
  phone: z.optional(phoneNumberField),
  smsConsent: z._default(z.boolean(), false),
  /** A hidden field. Only robots fill it in. */
  _honeypot: z.optional(z.string().check(z.maxLength(500))),
});

/** The contact form uses the same operation, with its own `kind`. */
export const SupportBody = z.extend(SupportForm, { kind: z._default(z.enum(['support', 'contact']), 'support') });

const fileIds = z._default(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(limits.answerFiles)), []);

/** The owner's notes on a ticket. */
export const ticketNotes = z.string().check(z.maxLength(5000, 'Please use at most 5000 characters'));

/** The owner's message to a customer who has not asked. */
export const MessageForm = z.object({
  subject: textOfAtLeast(1, 'Please enter a subject', 200),
  message: textOfAtLeast(1, 'Please write your message first', 5000),
});
export const MessageBody = z.extend(MessageForm, {
  /** Sending the same key again does not send a second email. */
  key: z.uuid(),
  /** Files that were uploaded before, in the order of the email. */
  fileIds,
});

/** A text that the owner uses often. `{name}` stands for the customer's name. */
export const SavedReplyForm = z.object({
  title: textOfAtLeast(1, 'Please enter a title', 100),
  words: textOfAtLeast(1, 'Please enter a text', 5000),
});

/** The owner's answer, emailed to the person who asked. */
export const AnswerForm = z.object({
  answer: textOfAtLeast(1, 'Please write your answer first', 5000),
});
export const AnswerBody = z.extend(AnswerForm, {
  /** Also complete the ticket. */
  complete: z._default(z.boolean(), false),
  /** Sending the same key again does not send a second answer. */
  key: z.optional(z.uuid()),
  /** Files that were uploaded before, in the order of the email. */
  fileIds,
});
