import { MediaPreview } from '../media/media-preview.tsx';
import type { Difference } from './compared-fields.ts';

interface Props {
  found: Difference[];
  /** The names of the two versions. */
  mine: string;
  theirs: string;
}

/** Each field that differs between two versions of a section, with both values side by side. */
export const DifferingTexts = ({ found, mine, theirs }: Props) => (
  <ul className="space-y-5" aria-label="Differences">
    {found.map(({ label, isMedia, ...versions }) => (
      <li key={label}>
        <p className="font-semibold first-letter:uppercase">{label}</p>
        <dl className="mt-1 grid gap-3 sm:grid-cols-2">
          <Version of={mine} words={versions.mine} media={isMedia && label} />
          <Version of={theirs} words={versions.theirs} media={isMedia && label} />
        </dl>
      </li>
    ))}
  </ul>
);

const Version = (props: { of: string; words: string | undefined; media: string | undefined }) => (
  <div className="min-w-0 rounded-lg bg-linen p-3">
    <dt className="text-sm text-muted">{props.of}</dt>
    <dd className="mt-1">
      {props.words ? (
        <FieldValue words={props.words} media={props.media} />
      ) : (
        <span className="text-muted">{props.words === undefined ? 'Not there' : 'Empty'}</span>
      )}
    </dd>
  </div>
);

/** The value of a field: its text, or its picture or video. `media` is the name of that picture or video. */
export const FieldValue = ({ words, media }: { words: string; media: string | undefined }) =>
  media === undefined ? (
    <span className="break-words whitespace-pre-wrap">{words}</span>
  ) : (
    <MediaPreview key={words} address={words} name={media} />
  );
