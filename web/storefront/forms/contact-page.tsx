import { useState } from 'react';
import * as z from 'zod/mini';
import { ContactForm, SupportForm } from '#contract/support-forms.ts';
import { send } from '../../data/api.ts';
import { useSite } from '../../data/site.ts';
import { paths } from '../../paths.ts';
import { Form, Honeypot, SubmitButton, TextAreaField, TextField, useShopForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { Card, Notice } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { PageOpening } from '../section.tsx';

const Rules = z.extend(ContactForm, z.pick(SupportForm, { _honeypot: true }).shape);
/** The button says Sending... for about this long, however fast the shop answers (specification 1, section 4). */
const sendingMs = 1000;

export function ContactPage() {
  const site = useSite();
  const [isSent, setIsSent] = useState(false);
  const form = useShopForm(Rules, {
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
    <>
      <PageOpening
        title="Say hello"
        lede="A question before buying, an idea, a story about a photo: we read everything."
      />
      <section className="wrap grid gap-12 pb-28 lg:grid-cols-[1.6fr_1fr] lg:gap-20">
        <Card>
          <Form form={form} label="Contact form">
            <div className="grid gap-6 sm:grid-cols-2">
              <TextField form={form} name="name" label="Name" autoComplete="name" />
              <TextField form={form} name="email" label="Email" type="email" inputMode="email" autoComplete="email" />
            </div>
            <TextField form={form} name="subject" label="Subject" />
            <TextAreaField form={form} name="message" label="Message" rows={7} />
            <Honeypot form={form} name="_honeypot" />
            {isSent && (
              <Notice tone="good" title="Message sent!">
                Thank you for contacting us. We&apos;ll get back to you within 24 hours.
              </Notice>
            )}
            <SubmitButton form={form} size="large" busyWords="Sending...">
              Send Message
            </SubmitButton>
          </Form>
        </Card>
        <aside className="space-y-8">
          <div>
            <h2 className="title-3">By e-mail</h2>
            <p className="mt-2">
              <a href={`mailto:${site.contactEmail}`} className="link inline-flex min-h-11 items-center">
                {site.contactEmail}
              </a>
            </p>
            {site.phone && <p className="text-muted">{site.phone}</p>}
          </div>
          <div className="border-t border-hair pt-8">
            <h2 className="title-3">Perhaps it is answered already</h2>
            <p className="mt-2 text-muted">
              Most questions about photos, shipping and frames are in the{' '}
              <Link to={paths.faq} className="link">
                frequently asked questions
              </Link>
              .
            </p>
          </div>
          <div className="border-t border-hair pt-8">
            <h2 className="title-3">About an order?</h2>
            <p className="mt-2 text-muted">
              Please use the{' '}
              <Link to={paths.support} className="link">
                support form
              </Link>
              . You get a ticket number, and nothing gets lost.
            </p>
          </div>
        </aside>
      </section>
    </>
  );
}
