import { type ReactNode, useState } from 'react';
import { toast } from './toast.ts';

const copiedNoticeMs = 1500;

/** Copies a text to the clipboard and confirms it on the button. */
export function CopyButton({ text, what, children }: { text: string; what: string; children: ReactNode }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
      setTimeout(() => setIsCopied(false), copiedNoticeMs);
    } catch {
      toast({ title: 'Not copied', description: `Your browser didn’t let us copy ${what}.`, destructive: true });
    }
  };
  return (
    <button type="button" className="link -mx-1 min-h-11 px-1 font-semibold" onClick={() => void copy()}>
      {isCopied ? 'Copied' : children}
      <span className="sr-only"> {what}</span>
    </button>
  );
}
