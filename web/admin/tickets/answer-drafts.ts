import { keepInTab, keptInTab } from '../../data/tab-memory.ts';

const key = 'ticketAnswers';
const all = () => JSON.parse(keptInTab(key) ?? '{}') as Record<string, string>;

/** Answers that were begun, by ticket: no closed dialog, no other tab of the panel and no reload loses them. */
export const draftOf = (ticketId: string): string => all()[ticketId] ?? '';

/** An empty one is none. */
export const keepDraft = (ticketId: string, answer: string): void =>
  keepInTab(key, JSON.stringify({ ...all(), [ticketId]: answer || undefined }));

export const forgetDrafts = (): void => keepInTab(key, null);
