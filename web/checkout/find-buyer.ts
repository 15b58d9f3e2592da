import type { QueryClient } from '@tanstack/react-query';
import { query } from '../data/api.ts';
import { errorText, isRefusal } from '../data/error-text.ts';

export interface Buyer {
  firstName: string;
  lastName: string;
  email: string;
}
/**
 * `isDone`: the account already exists. `isUnconfirmed`: an account with this email exists, but the email is not
 * confirmed. `isOver`: the registration has expired, so a retry does not help.
 */
export type BuyerResult =
  | { buyer: Buyer }
  | { isDone: true }
  | { isUnconfirmed: true }
  | { words: string; isOver: boolean };

/** Finds the buyer for the registration, by the token of the receipt's link, otherwise by the cookie of the payment. */
export async function findBuyer(queryClient: QueryClient, token: string | undefined): Promise<BuyerResult> {
  const fallback = 'Unable to load registration information';
  try {
    const contextQuery = query('/api/registration/context', { query: { token } });
    const { customer, error } = await queryClient.fetchQuery({ ...contextQuery, staleTime: 0 });
    return customer ? { buyer: customer } : { words: error ?? fallback, isOver: false };
  } catch (error) {
    if (isRefusal(error, 'registration-done')) return { isDone: true };
    if (isRefusal(error, 'email-unconfirmed')) return { isUnconfirmed: true };
    return { words: errorText(error, fallback), isOver: isRefusal(error, 'registration-expired') };
  }
}
