import { expect, test } from 'vitest';
import { compareVersions, fieldLabel } from './compared-versions.ts';

const hero = {
  fields: ['Title', 'Subtitle', 'Text', 'Button'].map((label) => ({ name: label.toLowerCase(), label })),
};
const faqs = {
  item: 'question',
  fields: [
    { name: 'question', label: 'Question' },
    { name: 'answer', label: 'Answer' },
  ],
};
const createQuestion = (name: string, answer = 'Yes.') => ({ question: name, answer });

test('the summary of a section without items names the changed fields, or counts them when there are many', () => {
  const { summary, found, same } = compareVersions(hero, { title: 'A', text: 'T' }, { title: 'B', text: 'T' });
  expect(summary).toBe('title');
  expect(found).toEqual([{ label: 'Title', mine: 'A', theirs: 'B' }]);
  expect(same).toEqual([{ label: 'Text', words: 'T' }]);
  const heroWithTextA = { title: 'A', subtitle: 'A', text: 'A', button: 'A' };
  expect(compareVersions(hero, heroWithTextA, {}).summary).toBe('4 fields');
  expect(compareVersions(hero, heroWithTextA, heroWithTextA)).toMatchObject({ summary: '', found: [] });
});

test.each([
  ['none', [createQuestion('A'), createQuestion('B')], [createQuestion('A'), createQuestion('B')], ''],
  [
    'one that was removed since, at the front',
    [createQuestion('A'), createQuestion('B')],
    [createQuestion('B')],
    '1 question more',
  ],
  [
    'two that came since',
    [createQuestion('A')],
    [createQuestion('B'), createQuestion('A'), createQuestion('C')],
    '2 questions fewer',
  ],
  [
    'an answer',
    [createQuestion('A', 'No.'), createQuestion('B')],
    [createQuestion('B'), createQuestion('A')],
    '1 question worded differently, different order',
  ],
  [
    'a question',
    [createQuestion('Old'), createQuestion('B')],
    [createQuestion('New'), createQuestion('B')],
    '1 question worded differently',
  ],
  [
    'the order',
    [createQuestion('A'), createQuestion('B')],
    [createQuestion('B'), createQuestion('A')],
    'different order',
  ],
])('the summary of a list matches its items at any position. What differs: %s', (_, then, now, summary) => {
  expect(compareVersions(faqs, then, now).summary).toBe(summary);
});

test('the differences contain all fields of an item that only one version has, with its position there', () => {
  const earlierItems = [createQuestion('A'), createQuestion('B')];
  expect(
    compareVersions(faqs, earlierItems, [createQuestion('B'), createQuestion('C'), createQuestion('D')]).found,
  ).toEqual([
    { label: 'question 1, Question', mine: 'A', theirs: undefined },
    { label: 'question 1, Answer', mine: 'Yes.', theirs: undefined },
    { label: 'today’s question 2, Question', mine: undefined, theirs: 'C' },
    { label: 'today’s question 2, Answer', mine: undefined, theirs: 'Yes.' },
    { label: 'today’s question 3, Question', mine: undefined, theirs: 'D' },
    { label: 'today’s question 3, Answer', mine: undefined, theirs: 'Yes.' },
  ]);
});

test('fieldLabel returns the label of a field in the form for its path in an API error', () => {
  expect(fieldLabel(faqs, '1.answer')).toBe('Question 2, Answer');
  expect(fieldLabel(hero, 'title')).toBe('Title');
  expect(fieldLabel(hero, 'body')).toBe('');
});
