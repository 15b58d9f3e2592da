import type { FieldValues } from 'react-hook-form';
import { Accordion } from '../../ui/accordion.tsx';
import { Preview } from './preview.tsx';

/** The questions with the look of the FAQ page. */
export function FaqPreview({ content }: { content: FieldValues[] }) {
  const shownQuestions = content
    .map((it) => ({ title: String(it['question'] ?? '').trim(), body: String(it['answer'] ?? '') }))
    .filter((it) => it.title !== '');
  return (
    <Preview>
      {shownQuestions.length > 0 ? (
        <Accordion items={shownQuestions} />
      ) : (
        <p className="text-muted">No questions yet.</p>
      )}
    </Preview>
  );
}
