import { Camera } from 'lucide-react';
import { useId, useMemo, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { ReturnForm, returnReasons, returnReasonTexts } from '#contract/return-forms.ts';
import type { OrderReturns } from '#contract/returns.ts';
import { send } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { FieldError } from '../../ui/field.tsx';
import { Form, FormProblem, SelectField, SubmitButton, TextAreaField, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { acceptedFiles } from '../accepted-files.ts';

interface Props {
  orderNumber: string;
  /** The frames that can be returned; at least one. */
  frames: OrderReturns['frames'];
  onSent: (returnsResponse: OrderReturns) => void;
  onCancel: () => void;
}

/** The customer chooses frames and a reason, and may add a photo of the damage. */
export function ReturnRequestForm({ orderNumber, frames, onSent, onCancel }: Props) {
  /** An idempotency key: this form makes one return, even if the request is repeated. */
  const [key] = useState(() => crypto.randomUUID());
  const [photo, setPhoto] = useState<File>();
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm(ReturnForm, {
    defaultValues: { frameIds: frames.length === 1 ? [frames[0]!.id] : [], reason: '' as 'other', words: '' },
    onSubmit: async ({ frameIds, reason, words }) => {
      const body = new FormData();
      for (const [name, value] of Object.entries({ frameIds: frameIds.join(','), reason, words, key }))
        body.set(name, value);
      if (photo) body.set('photo', photo);
      const returnsResponse = await send('POST /api/orders/:orderNumber/returns', {
        params: { orderNumber },
        form: body,
      });
      onSent(returnsResponse);
      toast({ title: 'Return requested', description: 'We’ll email you our answer.' });
    },
    fallbackText: 'Your request could not be sent. Please try again.',
    onProblem: (_, error) => handleSessionEnd(error),
  });
  return (
    <Form form={form} label="Return a frame" className="space-y-5">
      {frames.length > 1 && (
        <fieldset>
          <legend className="mb-1.5 font-semibold">Which frames?</legend>
          <div className="grid gap-2">
            {frames.map(({ id, name }) => (
              <label key={id} className="flex min-h-11 cursor-pointer items-center gap-3">
                <input
                  type="checkbox"
                  value={id}
                  className="size-6 shrink-0 rounded-sm accent-accent"
                  {...form.register('frameIds')}
                />
                {name}
              </label>
            ))}
          </div>
          <FieldError words={form.getFieldState('frameIds', form.formState).error?.message} />
        </fieldset>
      )}
      <SelectField
        form={form}
        name="reason"
        label="Reason"
        options={[
          { value: '', label: 'Please choose' },
          ...returnReasons.map((value) => ({ value, label: returnReasonTexts[value] })),
        ]}
      />
      <TextAreaField
        form={form}
        name="words"
        label="What happened?"
        optional={form.watch('reason') !== 'other'}
        rows={4}
        maxLength={limits.returnCharacters}
        hint="For damage, please say where it is and how the box looked."
      />
      <DamagePhoto photo={photo} onChoose={setPhoto} />
      <p className="text-[0.9375rem] text-muted">
        We’ll email you that we have your request. Please send nothing back before we’ve answered.
      </p>
      <FormProblem form={form} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton form={form} busyLabel="Sending...">
          Request a return
        </SubmitButton>
        <Button look="secondary" disabled={form.busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}

function DamagePhoto({ photo, onChoose }: { photo: File | undefined; onChoose: (photo: File | undefined) => void }) {
  const fileInputRef = useRef<HTMLInputElement>(null);
  const id = useId();
  const [problem, setProblem] = useState<string>();
  /** The name of a photo that this browser cannot show, such as a HEIC photo. */
  const [notShown, setNotShown] = useState<File>();
  const previewUrl = useMemo(() => photo && URL.createObjectURL(photo), [photo]);
  const choosePhoto = (file: File | undefined) => {
    const isTooLarge = file !== undefined && file.size > limits.photoBytes;
    setProblem(isTooLarge ? `Please choose a photo of at most ${limits.photoMegabytes} MB.` : undefined);
    onChoose(isTooLarge ? undefined : file);
  };
  return (
    <div>
      <p id={id} className="mb-1.5 font-semibold">
        Photo of the damage <span className="font-normal text-muted">(optional)</span>
      </p>
      <div className="flex items-center gap-4">
        {previewUrl && notShown !== photo ? (
          <img
            src={previewUrl}
            onLoad={() => URL.revokeObjectURL(previewUrl)} // the image stays visible after the URL is revoked
            onError={() => setNotShown(photo)}
            alt="What you chose"
            className="size-18 shrink-0 rounded-md bg-clay object-cover"
          />
        ) : (
          <span className="grid size-18 shrink-0 place-items-center rounded-md bg-linen text-muted">
            <Camera aria-hidden className="size-8" />
          </span>
        )}
        <div className="min-w-0">
          <div className="flex flex-wrap gap-2">
            <Button look="secondary" size="small" onClick={() => fileInputRef.current?.click()}>
              {photo ? 'Choose another photo' : 'Choose a photo'}
            </Button>
            {photo && (
              <Button
                look="quiet"
                size="small"
                onClick={() => {
                  choosePhoto(undefined);
                  if (fileInputRef.current) fileInputRef.current.value = '';
                }}
              >
                Remove photo
              </Button>
            )}
          </div>
          <p className="mt-1 truncate text-[0.9375rem] text-muted">
            {photo ? photo.name : `Up to ${limits.photoMegabytes} MB. Only we see it.`}
          </p>
        </div>
      </div>
      <FieldError words={problem} />
      <input
        ref={fileInputRef}
        type="file"
        name="photo"
        accept={acceptedFiles}
        aria-labelledby={id}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => choosePhoto(event.currentTarget.files?.[0])}
      />
    </div>
  );
}
