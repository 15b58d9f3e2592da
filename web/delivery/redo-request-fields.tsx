import { RedoRequestForm } from '#contract/delivery-forms.ts';
import { type MotionStyle, motionChoicesFor, motionTexts } from '#contract/motion.ts';
import { Form, FormButtons, FormProblem, SelectField, TextAreaField, useShopForm } from '../ui/form.tsx';

interface Props {
  /** The current motion. */
  style: MotionStyle | undefined;
  /** The photo's own motion is a choice, too. */
  hasOwnMotion: boolean;
  onWish: (wish: RedoRequestForm) => Promise<void>;
  onCancel: () => void;
}

/** The form of a wish, which is a request for another motion: the motion, and what should change. */
export function RedoRequestFields({ style, hasOwnMotion, onWish, onCancel }: Props) {
  const form = useShopForm(RedoRequestForm, { defaultValues: { style: 'any' }, onSubmit: onWish });
  const otherMotions = motionChoicesFor({ hasOwnMotion }).filter((it) => it !== style);
  return (
    <Form form={form} className="mt-5 space-y-5">
      <SelectField
        form={form}
        name="style"
        label="How should it move?"
        options={[
          { value: 'any', label: 'Choose for me' },
          ...otherMotions.map((it) => ({ value: it, label: motionTexts[it].wish })),
        ]}
      />
      <TextAreaField form={form} name="why" label="What should we change?" rows={3} />
      <FormProblem form={form} />
      <FormButtons form={form} words="Make it again" busyLabel="Sending..." onCancel={onCancel} />
    </Form>
  );
}
