import { useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { AdminUser } from '#contract/owner/people.ts';
import { includedPhotoCounts } from '#contract/catalog.ts';
import { countText } from '#contract/count-text.ts';
import { query, send } from '../../data/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { CheckboxField, Form, FormButtons, FormProblem, TextField, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { changeCachedRows, refreshList } from '../list/list-query.ts';
import { useSessionEnd } from '../session.ts';
import {
  parseAmount,
  findAmountProblem,
  readAmountTexts,
  findChangedAmounts,
  type AmountTexts,
} from './user-change.ts';

const EditForm = z.object({
  basePhotoLimit: z.string(),
  extraPhotoPackages: z.string(),
  reuploadCredits: z.string(),
  tellCustomer: z.boolean(),
});

const fields: { name: keyof AmountTexts; label: string }[] = [
  { name: 'basePhotoLimit', label: 'Base photos' },
  { name: 'extraPhotoPackages', label: 'Extra packages' },
  { name: 'reuploadCredits', label: 'Reupload credits' },
];

/** Edits how many photos a user can upload and replace. */
export function EditUser({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const showUser = useShowUser();
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm(EditForm, {
    defaultValues: { ...readAmountTexts(user), tellCustomer: true },
    onSubmit: async ({ tellCustomer, ...typed }) => {
      const body = findChangedAmounts(user, typed);
      if (Object.keys(body).length > 0) {
        const mailChoice = tellCustomer ? {} : { tellCustomer };
        showUser(await send('PUT /api/admin/users/:id', { params: { id: user.id }, body: { ...body, ...mailChoice } }));
        toast({ title: 'User Updated', description: `${user.username} is saved.` });
      }
      onClose();
    },
    fallbackText: 'Failed to update user',
    onProblem: (words, error) => {
      toast({ title: 'Update Failed', description: words, destructive: true });
      handleSessionEnd(error);
    },
  });
  const [base, packages] = form.watch(['basePhotoLimit', 'extraPhotoPackages']).map(parseAmount) as [number, number];
  const givenCredits = parseAmount(form.watch('reuploadCredits')) - user.reuploadCredits;
  const total = base + packages * includedPhotoCounts.extraPackage;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Edit User"
      description={<span className="break-all">{user.username}</span>}
    >
      <Form form={form} label="Edit user" className="mt-6 space-y-5">
        <div className="grid gap-5 sm:grid-cols-3">
          {fields.map(({ name, label }) => (
            <TextField
              key={name}
              form={form}
              name={name}
              label={label}
              hint={findAmountProblem(form.watch(name))}
              inputMode="numeric"
              autoComplete="off"
            />
          ))}
        </div>
        <p className="text-[0.9375rem] text-muted" role="status">
          {countText(total, 'photo')} in all, {user.usedPhotos} used. An extra package is{' '}
          {includedPhotoCounts.extraPackage} photos. With a credit, the customer can replace one photo whose video was
          disappointing.
        </p>
        {givenCredits > 0 && (
          <CheckboxField
            form={form}
            name="tellCustomer"
            label="Email the customer"
            hint={`We’ll email ${user.username} about ${countText(givenCredits, 'new credit')}.`}
          />
        )}
        <Field label="Customer ID" hint="Each user is one customer, so you can’t change this.">
          {(tied) => (
            <TextInput
              {...tied}
              readOnly
              value={user.customerId}
              className="bg-linen font-mono text-sm max-sm:text-xs"
            />
          )}
        </Field>
        <FormProblem form={form} />
        <FormButtons form={form} words="Save Changes" busyLabel="Saving..." />
        <UnsavedChangesDialog isDirty={form.formState.isDirty} />
      </Form>
    </Dialog>
  );
}

/** Updates the cached user with the API's response, and refetches other queries that contain its data. */
function useShowUser() {
  const queryClient = useQueryClient();
  return (changed: AdminUser) => {
    const { id } = changed;
    changeCachedRows<AdminUser>(queryClient, 'users', (it) => (it.id === id ? changed : it));
    for (const list of ['users', 'customers']) void refreshList(queryClient, list);
    const { queryKey } = query('/api/admin/customers/:id', { params: { id } });
    void queryClient.invalidateQueries({ queryKey });
  };
}
