import { oneOf, searchParams, text } from '../../search-params.ts';

/** The search params of the sign-in page. */
export const AuthSearch = searchParams({
  tab: oneOf('sign-in', 'sign-up'),
  /** The page to open after signing in. */
  returnTo: text(2000),
});
