import { createFileRoute, redirect } from '@tanstack/react-router';
import { loadCustomer } from '../account/customer.ts';
import { AuthPage } from '../account/sign-in/auth-page.tsx';
import { paths } from '../paths.ts';
import { pageHead } from '../ui/page-head.ts';
import { oneOf, searchParams } from '../search-params.ts';

const Search = searchParams({ tab: oneOf('sign-in', 'sign-up') });

export const Route = createFileRoute('/auth/')({
  validateSearch: Search,
  loader: async ({ context: { queryClient }, preload }) => {
    if (preload) return;
    if (await loadCustomer(queryClient)) throw redirect({ to: paths.upload, replace: true });
  },
  head: ({ match }) =>
    pageHead(match.context, {
      title: 'Sign in',
      description: 'Sign in or make an account to add photos and follow your order.',
      path: paths.signIn,
      hidden: true,
    }),
  component: Auth,
});

function Auth() {
  const { tab = 'sign-in' } = Route.useSearch();
  const navigate = Route.useNavigate();
  return <AuthPage tab={tab} onTab={(next) => void navigate({ search: { tab: next }, replace: true })} />;
}
