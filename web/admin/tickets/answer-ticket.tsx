import { Send } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AdminTicket } from '#contract/owner/tickets.ts';
import { AnswerForm } from '#contract/support-forms.ts';
import { send } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { Form, FormProblem, SubmitButton, TextAreaField, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../session.ts';
import { readAnswerDraft, storeDraft } from './answer-drafts.ts';
import { AttachFiles, useAnswerFiles } from './attach-files.tsx';
import { SavedReplies } from './saved-replies.tsx';
import { useShowTicket } from './use-ticket.ts';

/** The form to answer a ticket. The answer is emailed to the customer. */
export function AnswerTicket({ ticket }: { ticket: AdminTicket }) {
  const { id, customerName, customerEmail, status } = ticket;
  const showTicket = useShowTicket();
  const handleSessionEnd = useSessionEnd();
  /** An idempotency key: if a response is lost and the answer is sent again, the customer gets only one email. */
  const [key, setKey] = useState(() => crypto.randomUUID());
  const answerFiles = useAnswerFiles();
  const { setFiles, isUploading, fileIds } = answerFiles;
  /** Whether to complete the ticket. The pressed submit button sets this. */
  const completesTicketRef = useRef(false);
  const form = useShopForm(AnswerForm, {
    defaultValues: { answer: readAnswerDraft(id) },
    onSubmit: async ({ answer }) => {
      const answerRoute = 'POST /api/admin/support-tickets/:id/answers';
      const answerResponse = await send(answerRoute, {
        params: { id },
        body: { answer, complete: completesTicketRef.current, key, fileIds },
      });
      storeDraft(id, '');
      form.reset({ answer: '' });
      setKey(crypto.randomUUID());
      setFiles([]);
      showTicket(answerResponse);
      toast({ title: 'Answer sent', description: `We’re emailing it to ${customerEmail}.` });
    },
    fallbackText: 'Failed to send the answer',
    onProblem: (_, error) => handleSessionEnd(error),
  });
  const { watch } = form;
  useEffect(() => {
    const { unsubscribe } = watch(({ answer = '' }) => storeDraft(id, answer));
    return unsubscribe;
  }, [watch, id]);
  const insertReply = (words: string) => {
    const typedText = form.getValues('answer');
    form.setValue('answer', typedText ? `${typedText}\n\n${words}` : words, { shouldDirty: true });
  };
  if (customerEmail === '')
    return <p className="text-muted">The account was deleted, so there’s no email address to reply to.</p>;
  return (
    <Form form={form} label="Answer" className="space-y-4">
      <TextAreaField
        form={form}
        name="answer"
        label="Your answer"
        hint={`We’ll email it to ${customerEmail}.`}
        rows={7}
      />
      <AttachFiles answerFiles={answerFiles}>
        <SavedReplies name={customerName} onInsert={insertReply} onFocusField={() => form.setFocus('answer')} />
      </AttachFiles>
      <FormProblem form={form} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton
          form={form}
          busyLabel="Sending..."
          disabled={isUploading}
          onClick={() => (completesTicketRef.current = false)}
        >
          <Send aria-hidden className="size-4.5" />
          Send answer
        </SubmitButton>
        {status === 'open' && (
          <Button
            type="submit"
            look="secondary"
            disabled={form.busy || isUploading}
            onClick={() => (completesTicketRef.current = true)}
          >
            Send and complete
          </Button>
        )}
      </div>
    </Form>
  );
}
