import { useState } from 'react';
import { CircleCheck } from 'lucide-react';
import { StockNotificationForm as StockNotificationFields } from '#contract/stock-forms.ts';
import { send } from '../../data/api.ts';
import { Form, FormProblem, Honeypot, SubmitButton, TextField, useShopForm } from '../../ui/form.tsx';

/** Asks for an email address, to notify the visitor when the Kinframe is back in stock. */
export function StockNotificationForm() {
  const [isSubmitted, setSubmitted] = useState(false);
  const form = useShopForm(StockNotificationFields, {
    defaultValues: { _honeypot: '' },
    onSubmit: async (body) => {
      await send('POST /api/stock/waiters', { body });
      setSubmitted(true);
    },
  });
  if (isSubmitted)
    return (
      <p role="status" className="flex gap-3">
        <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />
        We will email you once, when the Kinframe is back. Then we delete your address.
      </p>
    );
  return (
    <Form form={form} label="Email me when it is back" className="space-y-4">
      <Honeypot form={form} name="_honeypot" />
      <TextField
        form={form}
        name="email"
        label="Your email"
        type="email"
        inputMode="email"
        autoComplete="email"
        hint="We use it for this one email, and then delete it."
      />
      <FormProblem form={form} />
      <SubmitButton form={form} wide>
        Email me when it is back
      </SubmitButton>
    </Form>
  );
}
