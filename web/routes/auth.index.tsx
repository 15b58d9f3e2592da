import { createFileRoute, redirect } from '@tanstack/react-router';
import { loadCustomer } from '../account/customer.ts';
import { safeReturnPath } from '../account/return-path.ts';
import { AuthPage } from '../account/sign-in/auth-page.tsx';
import { AuthSearch } from '../account/sign-in/auth-search.ts';
import { findRegistrationPath } from '../checkout/add-photos-path.ts';
import { paths } from '../paths.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/auth/')({
  validateSearch: AuthSearch,
  loaderDeps: ({ search: { returnTo } }) => ({ returnTo }),
  // Do not preload on hover: the loader's requests and redirects must happen only after a click.
  preload: false,
  loader: async ({ context: { queryClient }, deps: { returnTo } }) => {
    if (await loadCustomer(queryClient))
      throw redirect({ href: returnTo === undefined ? paths.upload : safeReturnPath(returnTo), replace: true });
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Sign in',
      description: 'Sign in or create an account to add photos and track your order.',
      path: paths.signIn,
      hidden: true,
    }),
  component: Auth,
});

function Auth() {
  const { tab = 'sign-in', returnTo } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <AuthPage
      tab={tab}
      returnTo={returnTo}
      findRegistration={findRegistrationPath}
      onTab={(next) => void navigate({ search: (now) => ({ ...now, tab: next }), replace: true })}
    />
  );
}
