import { SupportForm } from '#contract/support-forms.ts';
import { send } from '../../data/api.ts';
import { CheckboxField, Form, Honeypot, SubmitButton, TextAreaField, TextField, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';

export function SupportRequest({ onReceived }: { onReceived: (ticketNumber: string) => void }) {
  const form = useShopForm(SupportForm, {
    fallbackText: 'Failed to submit support request. Please try again.',
    onSubmit: async (values) => {
      const { ticket } = await send('POST /api/support-tickets', { body: { ...values, kind: 'support' } });
      toast({
        title: 'Support request submitted!',
        description: "We've sent a confirmation email with your ticket number.",
      });
      onReceived(ticket.ticketNumber);
    },
    onProblem: (problem) => toast({ title: 'Error', description: problem, destructive: true }),
  });
  return (
    <Form form={form} label="Support request">
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField form={form} name="name" label="Name" autoComplete="name" />
        <TextField form={form} name="email" label="Email" type="email" inputMode="email" autoComplete="email" />
      </div>
      <TextField form={form} name="phone" label="Phone" type="tel" inputMode="tel" autoComplete="tel" optional />
      <CheckboxField
        form={form}
        name="smsConsent"
        label="You may text me about this request"
        hint="Message and data rates may apply. You can opt out at any time by replying STOP."
      />
      <TextField form={form} name="subject" label="Subject" />
      <TextAreaField form={form} name="message" label="Message" rows={7} />
      <Honeypot form={form} name="_honeypot" />
      <SubmitButton form={form} size="large" busyLabel="Submitting...">
        Submit request
      </SubmitButton>
    </Form>
  );
}
