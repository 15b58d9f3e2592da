import { useBlocker } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { type FieldValues, useFieldArray } from 'react-hook-form';
import type { $ZodType } from 'zod/v4/core';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Form, type ShopForm, SubmitButton, useShopForm } from '../../ui/form.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../session.ts';
import { ContentField } from './content-field.tsx';
import type { FieldWords, ListWords } from './sections.ts';

type ContentForm = ShopForm<FieldValues, FieldValues>;
interface Saving {
  label: string;
  schema: $ZodType;
  values: FieldValues;
  /** Answers what is kept from now on. */
  save: (values: FieldValues) => Promise<FieldValues>;
  /** What is said when the shop gave no words of its own. */
  fallbackWords: string;
}

/** With every field there is: one that content leaves out is as empty as its control. */
const filled = (fields: FieldWords[], given: FieldValues): FieldValues => ({
  ...Object.fromEntries(
    fields.map(({ name, kind }) => [name, kind === 'number' || kind === 'choice' ? undefined : '']),
  ),
  ...given,
});

/** A section's form: what is saved stays, what is wrong is said. `shape` makes of content what the form holds. */
function useSectionForm(
  { schema, values, save, fallbackWords }: Saving,
  shape: (content: FieldValues) => FieldValues,
): ContentForm {
  const noteEnd = useSessionEnd();
  const form = useShopForm<FieldValues, FieldValues>(schema as never, {
    defaultValues: shape(values),
    onSubmit: async (edited) => {
      form.reset(shape(await save(edited)));
      toast({ title: 'Content Saved', description: 'Visitors see it from now on.' });
    },
    fallbackWords,
    onProblem: (words, error) => {
      noteEnd(error);
      toast({ title: 'Update Failed', description: words, destructive: true });
    },
  });
  return form;
}

/** It is left with unsaved changes only by somebody who has been asked. */
function Section({ form, label, children }: { form: ContentForm; label: string; children: ReactNode }) {
  const { isDirty } = form.formState;
  return (
    <Form form={form} label={label} className="space-y-5">
      {children}
      <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-3 border-t border-hair bg-paper py-4">
        <SubmitButton form={form} busyWords="Saving..." disabled={!isDirty}>
          Save
        </SubmitButton>
        <Button look="secondary" disabled={!isDirty || form.busy} onClick={() => form.reset()}>
          Discard changes
        </Button>
        <p role="status" className="text-muted">
          {isDirty ? 'Not saved yet' : ''}
        </p>
      </div>
      <KeepOrDiscard isDirty={isDirty && !form.busy} />
    </Form>
  );
}

function KeepOrDiscard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({ shouldBlockFn: () => isDirty, enableBeforeUnload: isDirty, withResolver: true });
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Leave without saving?"
      description="What you have changed here is not saved yet."
      confirmWords="Discard changes"
      cancelWords="Keep editing"
      destructive
      onConfirm={() => blocker.proceed?.()}
    />
  );
}

export function ObjectForm({ fields, ...saving }: Saving & { fields: FieldWords[] }) {
  const form = useSectionForm(saving, (content) => filled(fields, content));
  return (
    <Section form={form} label={saving.label}>
      <Card className="grid gap-5 sm:grid-cols-2">
        {fields.map((words) => (
          <ContentField key={words.name} form={form as never} path={words.name} words={words} />
        ))}
      </Card>
    </Section>
  );
}

interface ListProps extends Saving {
  fields: FieldWords[];
  words: ListWords;
  /** Below an item's fields. */
  More?: ComponentType<{ item: FieldValues }>;
}

/** A section that is a list: `values.items`, in the order visitors see. */
export function ListForm({ fields, words, More, ...saving }: ListProps) {
  const form = useSectionForm(saving, ({ items }) => ({
    items: (items as FieldValues[]).map((it) => filled(fields, it)),
  }));
  return (
    <Section form={form} label={saving.label}>
      <Items form={form} fields={fields} words={words} More={More} />
    </Section>
  );
}

function Items({
  form,
  fields,
  words,
  More,
}: Pick<ListProps, 'fields' | 'words'> & { More: ListProps['More'] | undefined; form: ContentForm }) {
  const list = useFieldArray({ control: form.control as never, name: 'items' });
  const last = list.fields.length - 1;
  return (
    <>
      {list.fields.length === 0 && <p className="text-muted">{words.empty}</p>}
      <ol className="space-y-5">
        {list.fields.map(({ id }, at) => {
          const name = `${words.item} ${at + 1}`;
          return (
            <li key={id}>
              <Card>
                <fieldset aria-label={name}>
                  <div className="mb-4 flex items-center justify-between gap-2">
                    <p className="font-semibold first-letter:uppercase">{name}</p>
                    <div className="flex">
                      <IconButton
                        words={`Move ${name} up`}
                        icon={ArrowUp}
                        disabled={at === 0}
                        onClick={() => list.move(at, at - 1)}
                      />
                      <IconButton
                        words={`Move ${name} down`}
                        icon={ArrowDown}
                        disabled={at === last}
                        onClick={() => list.move(at, at + 1)}
                      />
                      <IconButton
                        words={`Remove ${name}`}
                        icon={Trash2}
                        disabled={false}
                        onClick={() => list.remove(at)}
                      />
                    </div>
                  </div>
                  <div className="grid gap-5 sm:grid-cols-2">
                    {fields.map((it) => (
                      <ContentField key={it.name} form={form as never} path={`items.${at}.${it.name}`} words={it} />
                    ))}
                  </div>
                  {More && <More item={form.watch(`items.${at}`) as FieldValues} />}
                </fieldset>
              </Card>
            </li>
          );
        })}
      </ol>
      <Button look="secondary" onClick={() => list.append(filled(fields, words.blank))}>
        <Plus aria-hidden className="size-4.5" />
        Add {words.item}
      </Button>
    </>
  );
}
