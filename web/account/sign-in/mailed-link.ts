import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ApiResponseBody, query, send } from '../../data/api.ts';
import { errorText, isRefusal } from '../../data/error-text.ts';
import { paths } from '../../paths.ts';
import { customerQuery, rememberCustomer, useGoTo } from '../customer.ts';
import { rememberReturnPath } from '../return-path.ts';

type MailedLink = ApiResponseBody<'GET /api/auth/mailed-link'>;
type Purpose = 'email-confirmation' | 'sign-in' | 'email-change';
/** `isOver`: the link is used, expired or invalid, so a retry does not help. `words`: the error if the check failed. */
export type MailedLinkResult = MailedLink | { isOver: true } | { words: string };

/** For route loaders: checks an emailed link and returns what it requires in this browser. Does not use up the link. */
export async function findMailedLink(
  queryClient: QueryClient,
  purpose: Purpose,
  token: string | undefined,
): Promise<MailedLinkResult> {
  if (!token) return { isOver: true };
  try {
    const linkQuery = query('/api/auth/mailed-link', { query: { purpose, token } });
    return await queryClient.fetchQuery({ ...linkQuery, staleTime: 0 });
  } catch (error) {
    return isLinkOver(error) ? { isOver: true } : { words: errorText(error) };
  }
}

export const isLinkOver = (error: unknown): boolean =>
  isRefusal(error, 'confirmation-link-invalid') ||
  isRefusal(error, 'sign-in-link-invalid') ||
  isRefusal(error, 'email-change-link-invalid') ||
  isRefusal(error, 'invalid-request');

/**
 * Whether the link now requires something else, because the browser's session has changed since the page was opened.
 */
export const hasLinkRequirementChanged = (error: unknown): boolean =>
  isRefusal(error, 'new-password-needed') || isRefusal(error, 'sign-in-to-account');

/**
 * Returns a function that opens the sign-in page. After the sign-in, the customer returns to `path`. If this browser is
 * signed in to another account, the function signs out first.
 */
export function useSignInFor(path: string) {
  const queryClient = useQueryClient();
  const goTo = useGoTo();
  return async () => {
    if (queryClient.getQueryData(customerQuery().queryKey)) await send('POST /api/auth/logout');
    rememberCustomer(queryClient, null);
    rememberReturnPath(path);
    goTo(paths.signIn);
  };
}
