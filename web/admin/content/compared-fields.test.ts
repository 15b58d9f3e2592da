import { expect, test } from 'vitest';
import { listComparedFields, findDifferences } from './compared-fields.ts';

const fields = [
  { name: 'question', label: 'Question' },
  { name: 'answer', label: 'Answer' },
];
const createList = (...items: Record<string, string>[]) =>
  items.flatMap((item, at) => listComparedFields(fields, item, `question ${at + 1}`));

test('differences contain edited fields, and all fields of an item that only the longer list has', () => {
  const myFields = createList({ question: 'Who?', answer: 'Us.' }, { question: 'Where?', answer: 'Here.' });
  const savedFields = createList({ question: 'Who?', answer: 'We.' });
  const foundDifferences = [
    { label: 'question 1, Answer', mine: 'Us.', theirs: 'We.' },
    { label: 'question 2, Question', mine: 'Where?', theirs: undefined },
    { label: 'question 2, Answer', mine: 'Here.', theirs: undefined },
  ];
  expect(findDifferences(myFields, savedFields)).toEqual(foundDifferences);
  expect(findDifferences(savedFields, myFields)).toEqual(
    foundDifferences.map((it) => ({ ...it, mine: it.theirs, theirs: it.mine })),
  );
  expect(findDifferences(myFields, myFields)).toEqual([]);
});

test('differences do not contain a field that is empty in one version and missing in the other', () => {
  expect(
    findDifferences(listComparedFields(fields, { question: '' }), listComparedFields(fields, { answer: ' ' })),
  ).toEqual([]);
});

test('differences contain an item that only the shorter list has', () => {
  const createLabelsNamed = (...names: string[]) => names.map((name) => ({ label: name, words: 'It moves.' }));
  expect(findDifferences(createLabelsNamed('picture 1', 'picture 2'), createLabelsNamed('picture 3'))).toEqual([
    { label: 'picture 1', mine: 'It moves.', theirs: undefined },
    { label: 'picture 2', mine: 'It moves.', theirs: undefined },
    { label: 'picture 3', mine: undefined, theirs: 'It moves.' },
  ]);
});
