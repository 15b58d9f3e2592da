import { type MotionStyle, motionTexts } from '#contract/motion.ts';

interface Props {
  /** The motions that suit the photo. The first one is the motion that the shop would choose. */
  motions: readonly MotionStyle[];
  /** Null: the shop chooses. */
  chosen: MotionStyle | null;
  onChoose: (style: MotionStyle | null) => void;
}

/** Radio buttons to choose a photo's motion. The preview video then shows the chosen motion. */
export function MotionChoice({ motions, chosen, onChoose }: Props) {
  const [own, ...others] = motions;
  // Keep an earlier choice visible, even if it does not suit the photo.
  const otherMotions = chosen === null || motions.includes(chosen) ? others : [...others, chosen];
  const choices = [
    { value: null, words: own ? `${motionTexts[own].plan} (our choice)` : 'Choose for me' },
    ...otherMotions.map((it) => ({ value: it, words: motionTexts[it].plan })),
  ];
  const selectedMotion = chosen === own ? null : chosen;
  return (
    <fieldset>
      <legend className="font-semibold">How it moves</legend>
      <div className="mt-2 flex flex-wrap gap-2">
        {choices.map(({ value, words }) => (
          <label
            key={value ?? 'own'}
            className="inline-flex min-h-11 cursor-pointer items-center gap-2.5 rounded-full border border-hair bg-card px-4 py-1.5 has-checked:border-accent has-checked:outline-2 has-checked:outline-accent has-focus-visible:outline-3 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="motion"
              className="size-5 accent-accent"
              checked={selectedMotion === value}
              onChange={() => onChoose(value)}
            />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
