import { Mail, Send } from 'lucide-react';
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { MessageForm } from '#contract/support-forms.ts';
import { query, send } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormProblem, SubmitButton, TextAreaField, TextField, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { refreshList } from '../list/list-query.ts';
import { useSessionEnd } from '../session.ts';
import { AttachFiles, useAnswerFiles } from './attach-files.tsx';
import { SavedReplies } from './saved-replies.tsx';

interface Props {
  /** Where the owner writes from. */
  from: { orderId: string } | { customerId: string };
  /** What the message is about, as the first subject. */
  subject?: string;
  name: string;
  email: string;
}

/** A button that opens a form to email a customer. */
export function WriteToCustomer(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  if (props.email === '') return null; // the account was deleted
  return (
    <>
      <Button look="secondary" size="small" onClick={() => setIsOpen(true)}>
        <Mail aria-hidden className="size-4.5" />
        Write to customer...
      </Button>
      {isOpen && <MessageDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function MessageDialog({ from, subject = '', name, email, onClose }: Props & { onClose: () => void }) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  /** An idempotency key: if a response is lost and the message is sent again, the customer gets only one email. */
  const [key] = useState(() => crypto.randomUUID());
  const answerFiles = useAnswerFiles();
  const { isUploading, fileIds } = answerFiles;
  const form = useShopForm(MessageForm, {
    defaultValues: { subject, message: '' },
    onSubmit: async (values) => {
      const body = { ...values, key, fileIds };
      const { ticketNumber } =
        'orderId' in from
          ? await send('POST /api/admin/orders/:id/messages', { params: { id: from.orderId }, body })
          : await send('POST /api/admin/customers/:id/messages', { params: { id: from.customerId }, body });
      if ('orderId' in from)
        void queryClient.invalidateQueries(query('/api/admin/mails', { query: { orderId: from.orderId } }));
      void refreshList(queryClient, 'support-tickets');
      toast({ title: 'Message sent', description: `We’re emailing it to ${email}. It’s ticket ${ticketNumber}.` });
      onClose();
    },
    fallbackText: 'Failed to send the message',
    onProblem: (_words, error) => handleSessionEnd(error),
  });
  const insertReply = (words: string) => {
    const typedText = form.getValues('message');
    form.setValue('message', typedText ? `${typedText}\n\n${words}` : words, { shouldDirty: true });
  };
  return (
    <Dialog open onOpenChange={onClose} title={`Write to ${name || email}`} description={`We’ll email ${email}.`}>
      <Form form={form} label="Message" className="mt-5 space-y-5">
        <TextField form={form} name="subject" label="Subject" autoComplete="off" />
        <TextAreaField form={form} name="message" label="Message" rows={8} />
        <AttachFiles answerFiles={answerFiles}>
          <SavedReplies name={name} onInsert={insertReply} onFocusField={() => form.setFocus('message')} />
        </AttachFiles>
        <FormProblem form={form} />
        <SubmitButton form={form} busyLabel="Sending..." disabled={isUploading}>
          <Send aria-hidden className="size-4.5" />
          Send message
        </SubmitButton>
        <UnsavedChangesDialog isDirty={form.formState.isDirty} />
      </Form>
    </Dialog>
  );
}
