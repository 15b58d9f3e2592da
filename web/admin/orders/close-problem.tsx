import { useQueryClient } from '@tanstack/react-query';
import { CloseProblemForm } from '#contract/refund-forms.ts';
import { type ApiResponseBody, query } from '../../data/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons, FormProblem, TextAreaField, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { useSessionEnd } from '../session.ts';
import { sendWithStepUp } from '../step-up/step-up.ts';

interface Props {
  problem: ApiResponseBody<'GET /api/admin/payment-problems'>[number];
  /** The payment's amount, as text. */
  what: string;
  onClose: () => void;
}

/**
 * Closes the problem of a payment without an order. The owner has settled it outside the payment provider, and notes
 * how.
 */
export function CloseProblem({ problem: { id, customerEmail }, what, onClose }: Props) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const refetchProblems = () =>
    Promise.all(
      [query('/api/admin/payment-problems'), query('/api/admin/day-sheet')].map(({ queryKey }) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
  const form = useShopForm(CloseProblemForm, {
    defaultValues: { note: '' },
    onSubmit: async (body) => {
      await sendWithStepUp('POST /api/admin/payment-problems/:id/close', { params: { id }, body });
      toast({ title: 'Settled', description: 'Your note is saved in the shop’s audit trail.' });
      onClose();
      await refetchProblems();
    },
    onProblem: (_, error) => handleSessionEnd(error),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="small"
      title="Settled another way?"
      description={`${customerEmail ?? 'A customer without an email'}: ${what}. The shop won’t do anything more with this payment.`}
    >
      <Form form={form} label="Settled another way" className="mt-5 space-y-5">
        <TextAreaField
          form={form}
          name="note"
          label="How"
          hint="Only you see this. Write down how much, how and when."
          rows={3}
        />
        <FormProblem form={form} />
        <FormButtons form={form} words="Mark as settled" busyLabel="Saving..." />
        <UnsavedChangesDialog isDirty={form.formState.isDirty} />
      </Form>
    </Dialog>
  );
}
