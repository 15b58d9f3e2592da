import { useQueryClient } from '@tanstack/react-query';
import { CloseProblemForm } from '#contract/refund-forms.ts';
import { type Answer, query, send } from '../../data/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons, FormProblem, TextAreaField, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { KeepOrDiscard } from '../keep-or-discard.tsx';
import { useSessionEnd } from '../session.ts';

interface Props {
  problem: Answer<'GET /api/admin/payment-problems'>[number];
  /** Its money, in words. */
  what: string;
  onClose: () => void;
}

/** A payment that the owner has settled with its payer outside of the provider: she notes how. */
export function CloseProblem({ problem: { id, customerEmail }, what, onClose }: Props) {
  const queryClient = useQueryClient();
  const noteEnd = useSessionEnd();
  const refresh = () =>
    Promise.all(
      [query('/api/admin/payment-problems'), query('/api/admin/day-sheet')].map(({ queryKey }) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
  const form = useShopForm(CloseProblemForm, {
    defaultValues: { note: '' },
    onSubmit: async (body) => {
      await send('POST /api/admin/payment-problems/:id/close', { params: { id }, body });
      toast({ title: 'Settled', description: 'Your note is in the shop’s audit trail.' });
      onClose();
      await refresh();
    },
    onProblem: (_, error) => noteEnd(error),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="small"
      title="Settled another way?"
      description={`${customerEmail ?? 'A payer without an e-mail'}: ${what}. The shop moves no money for it any more.`}
    >
      <Form form={form} label="Settled another way" className="mt-5 space-y-5">
        <TextAreaField
          form={form}
          name="note"
          label="How"
          hint="Only you see it: how much, by which way, and when."
          rows={3}
        />
        <FormProblem form={form} />
        <FormButtons form={form} words="It is settled" busyWords="Keeping..." />
        <KeepOrDiscard isDirty={form.formState.isDirty} />
      </Form>
    </Dialog>
  );
}
