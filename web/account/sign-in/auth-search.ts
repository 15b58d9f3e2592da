import { oneOfParam, defineSearchParams, textParam } from '../../search-params.ts';

/** The search params of the sign-in page. */
export const AuthSearch = defineSearchParams({
  tab: oneOfParam('sign-in', 'sign-up'),
  /** The page to open after signing in. */
  returnTo: textParam(2000),
});
