import { storeInSessionStorage, readFromSessionStorage } from '../../data/tab-memory.ts';

const key = 'ticketAnswers';
const readAllDrafts = () => JSON.parse(readFromSessionStorage(key) ?? '{}') as Record<string, string>;

/** The draft of an answer to a ticket. A draft is kept when the dialog closes, and when the page is reloaded. */
export const readAnswerDraft = (ticketId: string): string => readAllDrafts()[ticketId] ?? '';

/** Stores a draft. An empty draft is removed. */
export const storeDraft = (ticketId: string, answer: string): void =>
  storeInSessionStorage(key, JSON.stringify({ ...readAllDrafts(), [ticketId]: answer || undefined }));

export const deleteAnswerDrafts = (): void => storeInSessionStorage(key, null);
