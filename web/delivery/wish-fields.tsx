import { WishForm } from '#contract/delivery-forms.ts';
import type { MotionStyle } from '#contract/motion.ts';
import { Form, FormButtons, FormProblem, SelectField, TextAreaField, useShopForm } from '../ui/form.tsx';
import { motionWishes } from './motion-wishes.ts';

interface Props {
  /** The motion it has now. */
  style: MotionStyle | undefined;
  onWish: (wish: WishForm) => Promise<void>;
  onCancel: () => void;
}

/** What should be another way, and why. */
export function WishFields({ style, onWish, onCancel }: Props) {
  const form = useShopForm(WishForm, { defaultValues: { style: 'any' }, onSubmit: onWish });
  const others = motionWishes.filter((it) => it.style !== style);
  return (
    <Form form={form} className="mt-5 space-y-5">
      <SelectField
        form={form}
        name="style"
        label="How should it move?"
        options={[
          { value: 'any', label: 'Choose for me' },
          ...others.map((it) => ({ value: it.style, label: it.words })),
        ]}
      />
      <TextAreaField form={form} name="why" label="What should we change?" rows={3} />
      <FormProblem form={form} />
      <FormButtons form={form} words="Make it again" busyWords="Sending..." onCancel={onCancel} />
    </Form>
  );
}
