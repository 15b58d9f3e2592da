import { oneOf, searchParams, text } from '../../search-params.ts';

/** What an address of the sign-in page says. */
export const AuthSearch = searchParams({
  tab: oneOf('sign-in', 'sign-up'),
  /** The page that the server did not open to a visitor. */
  returnTo: text(2000),
});
