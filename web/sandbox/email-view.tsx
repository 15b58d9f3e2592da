import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';

/** An email as its reader sees it, and as plain text. Scripts in the email do not run. Its links open in new tabs. */
export function EmailView(props: {
  subject: string;
  facts: ReactNode;
  htmlPath: string;
  text: string;
  /** The label of the button that returns to the list. The button is visible only on small screens. */
  closeText: string;
  onClose: () => void;
}) {
  const { subject, facts, htmlPath, text, closeText, onClose } = props;
  return (
    <article aria-label={subject} className="overflow-hidden rounded-lg border border-hair bg-card">
      <div className="border-b border-hair px-4 py-3 sm:px-5">
        <Button look="quiet" size="small" onClick={onClose} className="-ml-3 lg:hidden">
          <ArrowLeft aria-hidden className="size-5" />
          {closeText}
        </Button>
        <h2 className="text-xl break-words">{subject}</h2>
        <div className="mt-1 text-sm text-muted">{facts}</div>
      </div>
      <iframe
        key={htmlPath}
        src={htmlPath}
        title={`The email “${subject}”`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        className="block h-[75dvh] w-full bg-card"
      />
      <details className="border-t border-hair">
        <summary className="flex min-h-12 items-center px-4 font-semibold sm:px-5">As plain text</summary>
        <pre className="overflow-x-auto px-4 pb-5 font-mono text-sm leading-relaxed whitespace-pre-wrap sm:px-5">
          <TextWithLinks text={text} />
        </pre>
      </details>
    </article>
  );
}

/** Text with its URLs as links. */
function TextWithLinks({ text }: { text: string }) {
  return text.split(/(https?:\/\/\S+)/).map((part, place) =>
    part.startsWith('http') ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no other key
      <a key={place} href={part} target="_blank" rel="noreferrer" className="link break-all">
        {part}
      </a>
    ) : (
      part
    ),
  );
}
