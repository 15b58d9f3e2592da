import { useRef, useState } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { limits } from '#contract/limits.ts';
import { ApproveReturnForm, CloseReturnForm, DeclineReturnForm, ReceiveReturnForm } from '#contract/return-forms.ts';
import type { ReturnView } from '#contract/returns.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import {
  CheckboxField,
  Form,
  FormButtons,
  FormProblem,
  SelectField,
  TextAreaField,
  TextField,
  useShopForm,
  type ShopForm,
} from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { useSessionEnd } from '../session.ts';
import { customerNameText } from './name-of.ts';

export type ReturnAct = 'approve' | 'decline' | 'receive' | 'close';

interface Props {
  order: AdminOrder;
  value: ReturnView;
  onClose: () => void;
}

const titles: Record<ReturnAct, string> = {
  approve: 'Approve the return',
  decline: 'Decline the return',
  receive: 'Package received',
  close: 'End the return',
};
const forms = { approve: ApproveForm, decline: DeclineForm, receive: ReceiveForm, close: CloseForm };

/** Asks for the answer to a return, and says before who is emailed. */
export function ReturnDialog({ act, ...props }: Props & { act: ReturnAct }) {
  const ActForm = forms[act];
  const { order, value, onClose } = props;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={titles[act]}
      description={`${value.frames.join(', ')}, order ${order.orderNumber}, ${customerNameText(order)}`}
    >
      <ActForm {...props} />
    </Dialog>
  );
}

/** Shows the result of an action as a notification, or its error in the dialog. */
function useReturnAct({ onClose }: Pick<Props, 'onClose'>) {
  const handleSessionEnd = useSessionEnd();
  return {
    done: (title: string, isMailed: boolean) => {
      toast({ title, description: isMailed ? 'We’re emailing the customer.' : 'We didn’t email the customer.' });
      onClose();
    },
    onProblem: (_: string, error: unknown) => {
      toast({ title: 'Nothing changed', description: errorText(error), destructive: true });
      handleSessionEnd(error);
    },
  };
}

/** The checkbox that decides about the email. An order whose buyer was deleted has no address. */
function MailCustomerCheckbox<In extends FieldValues & { tellCustomer: boolean }, Out>(props: {
  order: AdminOrder;
  form: ShopForm<In, Out>;
  about: string;
}) {
  const { order, form, about } = props;
  if (!order.customerEmail) return null;
  return (
    <CheckboxField
      form={form}
      name={'tellCustomer' as FieldPath<In>}
      label="Email the customer"
      hint={`We’ll send one email to ${order.customerEmail} ${about}.`}
    />
  );
}

function ApproveForm({ order, value, onClose }: Props) {
  /** An idempotency key: a repeated request sends one email. */
  const [key] = useState(() => crypto.randomUUID());
  const labelInputRef = useRef<HTMLInputElement>(null);
  const { done, onProblem } = useReturnAct({ onClose });
  const form = useShopForm(ApproveReturnForm, {
    defaultValues: {
      answer: value.state === 'approved' ? (value.answer ?? '') : '',
      labelLink: value.labelLink ?? '',
      tellCustomer: order.customerEmail !== '',
    },
    onSubmit: async ({ answer, labelLink, tellCustomer }) => {
      const body = new FormData();
      const fields = { answer, labelLink, tellCustomer: String(tellCustomer), key };
      for (const [name, field] of Object.entries(fields)) body.set(name, field);
      const labelFile = labelInputRef.current?.files?.[0];
      if (labelFile) body.set('label', labelFile);
      await send('POST /api/admin/returns/:id/approve', { params: { id: value.id }, form: body });
      form.reset();
      done('Return approved', tellCustomer);
    },
    fallbackText: 'Failed to approve the return',
    onProblem,
  });
  return (
    <Form form={form} label="Approve the return" className="mt-6 space-y-5">
      <TextAreaField
        form={form}
        name="answer"
        label="What the customer should do"
        rows={4}
        hint="The customer sees this in the email and in the order. Please include your return address if there’s no label."
        optional
      />
      <Field
        label="Label file"
        optional
        hint={`A PDF or an image of up to ${limits.labelMegabytes} MB. Only the customer can open it, signed in.${value.labelUrl ? ' A new file replaces the current one.' : ''}`}
      >
        {(tied) => (
          <input
            {...tied}
            ref={labelInputRef}
            type="file"
            name="label"
            accept="application/pdf,image/*"
            className="block w-full text-[0.9375rem] file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-full file:border file:border-edge file:bg-card file:px-4 file:font-semibold"
          />
        )}
      </Field>
      <TextField
        form={form}
        name="labelLink"
        label="Link to a label"
        hint="If the carrier gives you a link in place of a file."
        placeholder="https://"
        autoComplete="off"
        optional
      />
      <MailCustomerCheckbox order={order} form={form} about="with your answer and where to find the label" />
      <FormProblem form={form} />
      <FormButtons form={form} words="Approve return" busyLabel="Approving..." />
      <UnsavedChangesDialog isDirty={form.formState.isDirty && !form.busy} />
    </Form>
  );
}

function DeclineForm({ order, value, onClose }: Props) {
  const { done, onProblem } = useReturnAct({ onClose });
  const form = useShopForm(DeclineReturnForm, {
    defaultValues: { reason: '', tellCustomer: order.customerEmail !== '' },
    onSubmit: async (body) => {
      await send('POST /api/admin/returns/:id/decline', { params: { id: value.id }, body });
      form.reset();
      done('Return declined', body.tellCustomer);
    },
    fallbackText: 'Failed to decline the return',
    onProblem,
  });
  return (
    <Form form={form} label="Decline the return" className="mt-6 space-y-5">
      <TextAreaField
        form={form}
        name="reason"
        label="Reason"
        rows={4}
        hint="The customer sees this in the email and in the order."
      />
      <MailCustomerCheckbox order={order} form={form} about="with the reason" />
      <FormProblem form={form} />
      <FormButtons form={form} words="Decline return" busyLabel="Declining..." isDestructive />
      <UnsavedChangesDialog isDirty={form.formState.isDirty && !form.busy} />
    </Form>
  );
}

function ReceiveForm({ order, value, onClose }: Props) {
  const { done, onProblem } = useReturnAct({ onClose });
  const form = useShopForm(ReceiveReturnForm, {
    defaultValues: { tellCustomer: order.customerEmail !== '' },
    onSubmit: async (body) => {
      await send('POST /api/admin/returns/:id/receive', { params: { id: value.id }, body });
      form.reset();
      done('Package received', body.tellCustomer);
    },
    fallbackText: 'Failed to save',
    onProblem,
  });
  return (
    <Form form={form} label="Package received" className="mt-6 space-y-5">
      <p>
        The customer can’t withdraw the return after this. We promise a refund within 5-10 business days. The frame
        isn’t added to your stock; add it yourself if you can sell it again.
      </p>
      <MailCustomerCheckbox order={order} form={form} about="that the package is here" />
      <FormProblem form={form} />
      <FormButtons form={form} words="Package received" busyLabel="Saving..." />
    </Form>
  );
}

function CloseForm({ order, value, onClose }: Props) {
  const { done, onProblem } = useReturnAct({ onClose });
  const form = useShopForm(CloseReturnForm, {
    defaultValues: { outcome: 'replaced', words: '', tellCustomer: order.customerEmail !== '' },
    onSubmit: async (body) => {
      await send('POST /api/admin/returns/:id/close', { params: { id: value.id }, body });
      form.reset();
      done('Return ended', body.tellCustomer);
    },
    fallbackText: 'Failed to end the return',
    onProblem,
  });
  return (
    <Form form={form} label="End the return" className="mt-6 space-y-5">
      <SelectField
        form={form}
        name="outcome"
        label="How it ended"
        options={[
          { value: 'replaced', label: 'We send a replacement' },
          { value: 'closed', label: 'Nothing follows' },
        ]}
        hint="To refund it, use “Refund...” instead. The refund ends the return."
      />
      <TextAreaField
        form={form}
        name="words"
        label="Note to the customer"
        rows={3}
        hint="For example, the tracking number of the replacement. The customer sees this in the email and in the order."
        optional
      />
      <MailCustomerCheckbox order={order} form={form} about="that the return has ended" />
      <FormProblem form={form} />
      <FormButtons form={form} words="End return" busyLabel="Saving..." />
      <UnsavedChangesDialog isDirty={form.formState.isDirty && !form.busy} />
    </Form>
  );
}
