import type { UploadView } from '#contract/frames.ts';
import { type MotionStyle, motionTexts } from '#contract/motion.ts';

interface Props {
  /** The motions that suit the photo. The first one is used if the customer chooses none. */
  motions: readonly MotionStyle[];
  /** `style` is null if the customer has chosen no motion. */
  photo: Pick<UploadView, 'style' | 'moves'>;
  onChoose: (style: MotionStyle | null) => void;
}

/** Radio buttons to choose a photo's motion. The preview video then shows the chosen motion. */
export function MotionChoice({ motions, photo, onChoose }: Props) {
  const { style: chosen } = photo;
  const [own, ...others] = motions;
  // Keep an earlier choice visible, even if it does not suit the photo.
  const otherMotions = chosen === null || motions.includes(chosen) ? others : [...others, chosen];
  const isOurChoice = chosen !== own && !hasAnswered(photo);
  const ownWords = own && `${motionTexts[own].plan}${isOurChoice ? ' (our choice)' : ''}`;
  const choices = [
    { value: null, words: ownWords ?? 'Choose for me' },
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

/** Whether the customer has said which parts of the photo move or stay still. The first motion follows from that. */
const hasAnswered = ({ moves }: Pick<UploadView, 'moves'>): boolean =>
  moves !== null && (moves.living !== null || moves.water || moves.candle !== null);
