import { useQueryClient } from '@tanstack/react-query';
import { formatDollars } from '#contract/catalog.ts';
import { ResendGiftCardForm, VoidGiftCardForm } from '#contract/gift-card-forms.ts';
import type { AdminGiftCard } from '#contract/owner/gift-cards.ts';
import { Dialog } from '../../ui/dialog.tsx';
import {
  CheckboxField,
  Form,
  FormButtons,
  FormProblem,
  TextAreaField,
  TextField,
  useShopForm,
} from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { changeCachedRows, refreshList } from '../list/list-query.ts';
import { useSessionEnd } from '../session.ts';
import { sendWithStepUp } from '../step-up/step-up.ts';
import { owedQuery } from './owed-query.ts';

interface Props {
  card: AdminGiftCard;
  onClose: () => void;
}

/** Updates the cached card with the API's response, and refetches the list and the sum. */
function useShowGiftCard() {
  const queryClient = useQueryClient();
  return (card: AdminGiftCard) => {
    changeCachedRows<AdminGiftCard>(queryClient, 'gift-cards', (row) => (row.id === card.id ? card : row));
    void refreshList(queryClient, 'gift-cards');
    void queryClient.invalidateQueries({ queryKey: owedQuery().queryKey });
  };
}

/** Sends the card with a new code. The codes before stop working. */
export function ResendDialog({ card: { id, number, recipientEmail, buyerEmail, lastFour }, onClose }: Props) {
  const showGiftCard = useShowGiftCard();
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm(ResendGiftCardForm, {
    defaultValues: { recipientEmail: recipientEmail ?? buyerEmail },
    onSubmit: async (body) => {
      showGiftCard(await sendWithStepUp('POST /api/admin/gift-cards/:id/resend', { params: { id }, body }));
      toast({ title: 'Gift card on its way', description: `We’re emailing it to ${body.recipientEmail}.` });
      onClose();
    },
    onProblem: (_, error) => handleSessionEnd(error),
  });
  return (
    <Dialog open onOpenChange={onClose} size="small" title={`Email gift card ${number}`}>
      <Form form={form} className="mt-5 space-y-5">
        <TextField form={form} name="recipientEmail" label="To" type="email" autoComplete="off" />
        <p className="text-muted">
          The email has a new code.
          {lastFour && ' The code before, and every printed card, stops working. The balance stays on the card.'}
        </p>
        <FormProblem form={form} />
        <FormButtons form={form} words="Send it" busyLabel="Sending..." />
        <UnsavedChangesDialog isDirty={form.formState.isDirty} />
      </Form>
    </Dialog>
  );
}

/** Voids the card. Only an unused card can be refunded. */
export function VoidDialog({ card: { id, number, amount, balance, buyerEmail }, onClose }: Props) {
  const showGiftCard = useShowGiftCard();
  const handleSessionEnd = useSessionEnd();
  const isUnused = balance === amount;
  const form = useShopForm(VoidGiftCardForm, {
    defaultValues: { reason: '', refund: isUnused },
    onSubmit: async (body) => {
      showGiftCard(await sendWithStepUp('POST /api/admin/gift-cards/:id/void', { params: { id }, body }));
      toast({
        title: 'Gift card voided',
        description: body.refund ? `The buyer will get ${formatDollars(amount)} back.` : undefined,
      });
      onClose();
    },
    onProblem: (_, error) => handleSessionEnd(error),
  });
  return (
    <Dialog open onOpenChange={onClose} size="small" title={`Void ${number}?`}>
      <Form form={form} className="mt-5 space-y-5">
        <p>
          The gift card’s code stops working right away. You can’t undo this.
          {!isUnused && ` ${formatDollars(balance)} that is left on it is lost, and nothing is refunded.`}
        </p>
        {isUnused && (
          <CheckboxField
            form={form}
            name="refund"
            label={`Refund ${formatDollars(amount)} to the buyer’s card`}
            hint={
              buyerEmail
                ? `We’ll email ${buyerEmail}. Leave this off if the bank has already taken the money back.`
                : undefined
            }
          />
        )}
        <TextAreaField form={form} name="reason" label="Reason" hint="Only you see this." rows={2} />
        <FormProblem form={form} />
        <FormButtons form={form} words="Void it" busyLabel="Voiding..." isDestructive />
        <UnsavedChangesDialog isDirty={form.formState.isDirty} />
      </Form>
    </Dialog>
  );
}
