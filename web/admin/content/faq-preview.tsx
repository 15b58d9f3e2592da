import { Eye } from 'lucide-react';
import { useId, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Accordion } from '../../ui/accordion.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';

/** The questions as the FAQ page shows them, as they are typed: beside the form where there is room, else on demand. */
export function FaqPreview({ items }: { items: FieldValues[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const tied = useId();
  const questions = items
    .map((it) => ({ title: String(it['question'] ?? '').trim(), body: String(it['answer'] ?? '') }))
    .filter((it) => it.title !== '');
  return (
    <>
      <Button
        look="secondary"
        size="small"
        aria-expanded={isOpen}
        aria-controls={tied}
        onClick={() => setIsOpen(!isOpen)}
        className="mb-5 xl:hidden"
      >
        <Eye aria-hidden className="size-4.5" />
        {isOpen ? 'Hide the preview' : 'Preview'}
      </Button>
      <section
        id={tied}
        aria-label="Preview"
        className={classes(
          'mb-5 rounded-xl border border-hair bg-paper p-5 xl:sticky xl:top-4 xl:max-h-[calc(100dvh-8rem)] xl:overflow-y-auto',
          !isOpen && 'max-xl:hidden',
        )}
      >
        <p className="mb-3 text-sm text-muted">As visitors will read it once you save</p>
        {questions.length > 0 ? (
          <Accordion items={questions} />
        ) : (
          <p className="text-muted">No question is written yet.</p>
        )}
      </section>
    </>
  );
}
