import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import { type FieldValues, useFieldArray } from 'react-hook-form';
import type { $ZodType } from 'zod/v4/core';
import type { VersionedContent } from '#contract/owner/content.ts';
import { isRefusal } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Form, type ShopForm, SubmitButton, useShopForm } from '../../ui/form.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useLostFocus } from '../../ui/lost-focus.ts';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { useSessionEnd } from '../session.ts';
import { type ComparedField, listComparedFields } from './compared-fields.ts';
import type { SectionFields } from './compared-versions.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { ContentField } from './content-field.tsx';
import { withoutNullFields, fillMissingFields, ignoreEmptyValues } from './form-values.ts';
import { History } from './history.tsx';
import { contentTexts, type SavingTexts } from './saving-texts.ts';
import type { FieldText, ListText } from './sections.ts';

type ContentForm = ShopForm<FieldValues, FieldValues>;
interface SectionSaveOptions {
  label: string;
  section: VersionedContent;
  schema: $ZodType;
  values: FieldValues;
  /** Saves, and returns the saved values. `version` is the version to replace, by default the loaded version. */
  save: (values: FieldValues, version?: string) => Promise<FieldValues>;
  /** The error text if the API's response contains none. */
  fallbackText: string;
  texts?: SavingTexts;
}

interface Conflict {
  theirs: FieldValues;
  /** The version of `theirs`. */
  version: string;
}

/**
 * The form of a section. If someone else saved in the meantime, the owner chooses between the two versions. `shape`
 * converts content to the form's values. `whole` converts a stored value to content: an older version, or the version
 * that someone else saved.
 */
function useSectionForm(
  { schema, values, save, fallbackText, texts = contentTexts }: SectionSaveOptions,
  shape: (content: FieldValues) => FieldValues,
  whole: (answered: unknown) => FieldValues,
) {
  const handleSessionEnd = useSessionEnd();
  const [conflict, setConflict] = useState<Conflict>();
  /** The version to replace. Undefined: the loaded version. */
  const versionToReplace = useRef<string>(undefined);
  const form = useShopForm<FieldValues, FieldValues>(ignoreEmptyValues(schema) as never, {
    defaultValues: shape(values),
    onSubmit: async (edited) => {
      try {
        form.reset(shape(await save(edited, versionToReplace.current)));
        versionToReplace.current = undefined;
      } catch (error) {
        if (!isRefusal(error, 'content-changed')) throw error;
        const { theirs, version: theirVersion } = error.details as { theirs: unknown; version: string };
        return setConflict({ theirs: shape(whole(theirs)), version: theirVersion });
      }
      setConflict(undefined);
      toast({ title: texts.savedTitle, description: texts.effect });
    },
    fallbackText,
    onProblem: (words, error) => {
      handleSessionEnd(error);
      toast({ title: 'Update Failed', description: words, destructive: true });
    },
  });
  const saveOwnVersion = async () => {
    versionToReplace.current = conflict!.version;
    await form.submit();
  };
  const takeSavedVersion = () => {
    versionToReplace.current = conflict!.version;
    form.reset(conflict!.theirs);
    setConflict(undefined);
  };
  const restore = async (value: unknown, version: string) => {
    form.reset(shape(await save(whole(value), version)));
    versionToReplace.current = undefined;
  };
  return {
    form,
    conflict,
    keepMine: saveOwnVersion,
    takeTheirs: takeSavedVersion,
    restore,
    editOn: () => setConflict(undefined),
  };
}

interface SectionProps {
  section: ReturnType<typeof useSectionForm>;
  saving: SectionSaveOptions;
  /** How to read the versions of the section. */
  reading: SectionFields;
  /** The fields to compare in a conflict. */
  fieldsOf: (content: FieldValues) => ComparedField[];
  /** A preview of the unsaved section, as visitors would see it. */
  preview?: ReactNode;
  children: ReactNode;
}

/** The form around the fields of a section. Asks before the owner leaves unsaved changes. */
function Section({ section, saving, reading, fieldsOf, preview, children }: SectionProps) {
  const { form, conflict } = section;
  const { texts = contentTexts } = saving;
  const { isDirty } = form.formState;
  return (
    <Form form={form} label={saving.label} className="space-y-5">
      {preview ? (
        <div className="gap-8 xl:grid xl:grid-cols-[minmax(0,32rem)_minmax(0,1fr)]">
          <div className="xl:order-2">{preview}</div>
          <div className="space-y-5">{children}</div>
        </div>
      ) : (
        <div className="max-w-176 space-y-5">{children}</div>
      )}
      <div
        data-bottom-bar
        className="sticky bottom-0 z-10 flex flex-wrap items-center gap-3 border-t border-hair bg-paper py-4"
      >
        <SubmitButton form={form} busyLabel="Saving..." disabled={!isDirty}>
          Save
        </SubmitButton>
        <Button look="secondary" disabled={!isDirty || form.busy} onClick={() => form.reset()}>
          Discard changes
        </Button>
        <p role="status" className="text-muted">
          {isDirty ? 'Not saved yet' : ''}
        </p>
        <div className="ml-auto">
          <History
            section={saving.section}
            reading={reading}
            texts={texts}
            isUnsaved={isDirty}
            restore={section.restore}
            isTight
          />
        </div>
      </div>
      <UnsavedChangesDialog isDirty={isDirty && !form.busy && !conflict} />
      {conflict && (
        <ConflictDialog
          {...texts.conflict}
          mine={fieldsOf(form.getValues())}
          theirs={fieldsOf(conflict.theirs)}
          onKeepMine={section.keepMine}
          onTakeTheirs={section.takeTheirs}
          onClose={section.editOn}
        />
      )}
    </Form>
  );
}

interface ObjectProps extends SectionSaveOptions {
  fields: FieldText[];
  /** A preview of the unsaved section, as visitors would see it. */
  Preview?: ComponentType<{ content: FieldValues }>;
}

export function ObjectForm({ fields, Preview, ...saving }: ObjectProps) {
  const section = useSectionForm(
    saving,
    (content) => fillMissingFields(fields, content),
    (answered) => (answered ?? {}) satisfies FieldValues,
  );
  const { form } = section;
  return (
    <Section
      section={section}
      saving={saving}
      reading={{ fields }}
      fieldsOf={(content) => listComparedFields(fields, content)}
      preview={Preview && <Preview content={withoutNullFields(form.watch())} />}
    >
      <Card className="grid gap-5 sm:grid-cols-2">
        {fields.map((words) => (
          <ContentField key={words.name} form={form as never} path={words.name} words={words} section={saving.label} />
        ))}
      </Card>
    </Section>
  );
}

interface ListProps extends SectionSaveOptions {
  fields: FieldText[];
  words: ListText;
  /** Rendered below an item's fields. */
  More?: ComponentType<{ item: FieldValues }>;
  /** A preview of the unsaved list, as visitors would see it. */
  Preview?: ComponentType<{ content: FieldValues[] }>;
}

/** A section that is a list: `values.items`, in the order that visitors see. */
export function ListForm({ fields, words, More, Preview, ...saving }: ListProps) {
  const section = useSectionForm(
    saving,
    ({ items }) => ({ items: (items as FieldValues[]).map((it) => fillMissingFields(fields, it)) }),
    (items) => ({ items }),
  );
  const { form } = section;
  const listFields = ({ items }: FieldValues) =>
    (items as FieldValues[]).flatMap((item, at) => listComparedFields(fields, item, `${words.item} ${at + 1}`));
  return (
    <Section
      section={section}
      saving={saving}
      reading={{ fields, item: words.item }}
      fieldsOf={listFields}
      preview={Preview && <Preview content={(form.watch('items') as FieldValues[]).map(withoutNullFields)} />}
    >
      <Items form={form} label={saving.label} fields={fields} words={words} More={More} />
    </Section>
  );
}

function Items({
  form,
  label,
  fields,
  words,
  More,
}: Pick<ListProps, 'label' | 'fields' | 'words'> & { More: ListProps['More'] | undefined; form: ContentForm }) {
  const list = useFieldArray({ control: form.control as never, name: 'items' });
  const lastFieldIndex = list.fields.length - 1;
  const { target: addButton, press } = useLostFocus<HTMLButtonElement>(list.fields.length);
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
                        disabled={at === lastFieldIndex}
                        onClick={() => list.move(at, at + 1)}
                      />
                      <IconButton
                        words={`Remove ${name}`}
                        icon={Trash2}
                        disabled={false}
                        onClick={() => {
                          press();
                          list.remove(at);
                        }}
                      />
                    </div>
                  </div>
                  <div className="grid gap-5 sm:grid-cols-2">
                    {fields.map((it) => (
                      <ContentField
                        key={it.name}
                        form={form as never}
                        path={`items.${at}.${it.name}`}
                        words={it}
                        section={label}
                      />
                    ))}
                  </div>
                  {More && <More item={form.watch(`items.${at}`) as FieldValues} />}
                </fieldset>
              </Card>
            </li>
          );
        })}
      </ol>
      <Button ref={addButton} look="secondary" onClick={() => list.append(fillMissingFields(fields, words.blank))}>
        <Plus aria-hidden className="size-4.5" />
        Add {words.item}
      </Button>
    </>
  );
}
