import { Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { LeaveQuestion } from '../../ui/leave-question.tsx';

/** How long the object URL of the file stays valid, in ms. Some browsers read the file only after the click. */
const objectUrlMs = 10_000;

/** Shows new recovery codes, to copy or download. The server cannot show them again. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const text = codes.join('\n');
  return (
    <section className="mt-6" aria-labelledby="recovery-codes">
      <h3 id="recovery-codes" ref={heading} tabIndex={-1} className="text-lg font-semibold">
        Your recovery codes
      </h3>
      <p className="mt-1 text-muted">
        If you lose your phone, you can sign in with each of these codes once. Keep them somewhere other than your
        phone. We can’t show them again.
      </p>
      <ol className="mt-5 grid gap-x-6 gap-y-1.5 rounded-lg bg-linen p-4 font-mono select-all sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <CopyButton text={text} what="the recovery codes">
          Copy
        </CopyButton>
        <Button look="secondary" size="small" onClick={() => downloadText(text)}>
          <Download aria-hidden className="size-4.5" />
          Download
        </Button>
      </div>
      <div className="mt-6 flex justify-end">
        <Button onClick={onKept}>I saved them</Button>
      </div>
      <LeaveQuestion
        isUnfinished
        isLeft={() => true}
        title="Have you saved the codes?"
        description="We can’t show them again. Without these codes or your phone, you can’t sign in."
        leave="I saved them"
        stay="Show them"
      />
    </section>
  );
}

function downloadText(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
  link.download = 'recovery-codes.txt';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), objectUrlMs);
}
