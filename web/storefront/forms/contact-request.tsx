import { useState } from 'react';
import * as z from 'zod/mini';
import { ContactForm, SupportForm } from '#contract/support-forms.ts';
import { send } from '../../data/api.ts';
import { Form, Honeypot, SubmitButton, TextAreaField, TextField, useShopForm } from '../../ui/form.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';

const ContactRequestForm = z.extend(ContactForm, z.pick(SupportForm, { _honeypot: true }).shape);
/** The button shows Sending... at least this long, even if the shop answers faster (specification 1, section 4). */
const sendingMs = 1000;

export function ContactRequest() {
  const [isSent, setIsSent] = useState(false);
  const form = useShopForm(ContactRequestForm, {
    onSubmit: async (values) => {
      setIsSent(false);
      const [answer] = await Promise.allSettled([
        send('POST /api/support-tickets', { body: { ...values, kind: 'contact' } }),
        new Promise((resolve) => setTimeout(resolve, sendingMs)),
      ]);
      if (answer.status === 'rejected') throw answer.reason;
      toast({
        title: 'Message sent!',
        description: "Thank you for contacting us. We'll get back to you within 24 hours.",
      });
      setIsSent(true);
      form.reset();
    },
    onProblem: () =>
      toast({
        title: 'Error',
        description: 'Something went wrong. Please try again or email us directly.',
        destructive: true,
      }),
  });
  return (
    <Form form={form} label="Contact form">
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField form={form} name="name" label="Name" autoComplete="name" />
        <TextField form={form} name="email" label="Email" type="email" inputMode="email" autoComplete="email" />
      </div>
      <TextField form={form} name="subject" label="Subject" />
      <TextAreaField form={form} name="message" label="Message" rows={7} />
      <Honeypot form={form} name="_honeypot" />
      {/* The toast disappears after five seconds. This notice stays. */}
      {isSent && (
        <Notice tone="good" title="We have your message">
          A person will read it and reply to the email address you gave.
        </Notice>
      )}
      <SubmitButton form={form} size="large" busyLabel="Sending...">
        Send message
      </SubmitButton>
    </Form>
  );
}
