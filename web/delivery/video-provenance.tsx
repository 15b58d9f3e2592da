import type { ProvenanceView } from '#contract/delivery.ts';
import { listProvenanceDetails, provenanceSentence } from '#contract/motion.ts';
import { joinClassNames } from '../ui/classes.ts';

/** One sentence about how a video was made, with expandable details. */
export function VideoProvenance(props: { provenance: ProvenanceView; isShared?: boolean; className: string }) {
  const { provenance, isShared = false } = props;
  const details = listProvenanceDetails(provenance);
  return (
    <div className={joinClassNames('mt-1 text-[0.9375rem]', props.className)}>
      <p>{provenanceSentence(provenance, { isShared })}</p>
      {details.length > 0 && (
        <details>
          <summary className="inline-flex min-h-11 cursor-pointer items-center underline underline-offset-4">
            What was done
          </summary>
          <ul className="list-disc space-y-1 pl-5">
            {details.map((it) => (
              <li key={it}>{it}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
