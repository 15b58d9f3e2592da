import type { QueryClient } from '@tanstack/react-query';
import { query } from '../data/api.ts';
import { errorWords, isRefusal } from '../data/error-words.ts';

export interface Buyer {
  firstName: string;
  lastName: string;
  email: string;
}
/** `isDone`: the account is there. `isOver`: there is nothing to register, however often it is tried. */
export type FoundBuyer = { buyer: Buyer } | { isDone: true } | { words: string; isOver: boolean };

/** Who is about to set a password: by the receipt's link, else by the cookie of the browser that paid. */
export async function findBuyer(queryClient: QueryClient, token: string | undefined): Promise<FoundBuyer> {
  const fallback = 'Unable to load registration information';
  try {
    const asked = query('/api/registration/context', { query: { token } });
    const { customer, error } = await queryClient.fetchQuery({ ...asked, staleTime: 0 });
    return customer ? { buyer: customer } : { words: error ?? fallback, isOver: false };
  } catch (error) {
    if (isRefusal(error, 'registration-done')) return { isDone: true };
    return { words: errorWords(error, fallback), isOver: isRefusal(error, 'registration-expired') };
  }
}
