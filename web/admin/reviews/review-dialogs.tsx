import type { AdminReview } from '#contract/owner/reviews.ts';
import { HideForm, ReviewAnswer } from '#contract/review-forms.ts';
import { send } from '../../data/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons, FormProblem, TextAreaField, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { useSessionEnd } from '../session.ts';
import { useShowReview } from './use-review-actions.ts';

interface Props {
  review: AdminReview;
  onClose: () => void;
}

/** Hides a review. The owner enters the reason. */
export function HideDialog({ review: { id, name, reason }, onClose }: Props) {
  const showReview = useShowReview();
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm(HideForm, {
    defaultValues: { reason: reason ?? '' },
    onSubmit: async (body) => {
      showReview(await send('POST /api/admin/reviews/:id/hide', { params: { id }, body }));
      toast({ title: 'Review hidden' });
      onClose();
    },
    onProblem: (_, error) => handleSessionEnd(error),
  });
  return (
    <Dialog open onOpenChange={onClose} size="small" title={`Hide ${name}’s review?`}>
      <Form form={form} className="mt-5 space-y-5">
        <TextAreaField
          form={form}
          name="reason"
          label="Why"
          hint="Only you see this. Please don’t hide a review because it’s critical. Hide insults, other people’s names and ads."
          rows={3}
        />
        <FormProblem form={form} />
        <FormButtons form={form} words="Hide it" busyLabel="Hiding..." />
        <UnsavedChangesDialog isDirty={form.formState.isDirty} />
      </Form>
    </Dialog>
  );
}

/** Edits the shop's public answer to a review. */
export function AnswerDialog({ review: { id, name, answer }, onClose }: Props) {
  const showReview = useShowReview();
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm(ReviewAnswer, {
    defaultValues: { answer: answer ?? '' },
    onSubmit: async (body) => {
      showReview(await send('PUT /api/admin/reviews/:id/answer', { params: { id }, body }));
      toast({ title: body.answer === '' ? 'Answer removed' : 'Answer saved' });
      onClose();
    },
    onProblem: (_, error) => handleSessionEnd(error),
  });
  return (
    <Dialog open onOpenChange={onClose} title={`Answer ${name}`}>
      <Form form={form} className="mt-5 space-y-5">
        <TextAreaField
          form={form}
          name="answer"
          label="Your answer"
          hint="Everyone can read it below the review. Leave it empty to remove it."
          rows={6}
        />
        <FormProblem form={form} />
        <FormButtons form={form} words="Save answer" busyLabel="Saving..." />
        <UnsavedChangesDialog isDirty={form.formState.isDirty} />
      </Form>
    </Dialog>
  );
}
