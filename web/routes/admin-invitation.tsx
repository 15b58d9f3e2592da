import { createFileRoute } from '@tanstack/react-router';
import { InvitationPage } from '../admin/invitation-page.tsx';
import { LoginSkeleton } from '../admin/login-skeleton.tsx';
import { defineSearchParams, textParam } from '../search-params.ts';
import { createPageHead } from '../ui/page-head.ts';

const Search = defineSearchParams({ token: textParam() });

export const Route = createFileRoute('/admin-invitation')({
  ssr: false,
  staticData: { bare: true },
  validateSearch: Search,
  preload: false,
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Invitation to the admin panel',
      description: 'Accept an invitation to work in the shop’s admin panel.',
      path: '/admin-invitation',
      hidden: true,
    }),
  codeSplitGroupings: [['component']],
  component: AdminInvitation,
  pendingComponent: LoginSkeleton,
});

function AdminInvitation() {
  const { site } = Route.useRouteContext();
  return <InvitationPage shopName={site.name} token={Route.useSearch().token} />;
}
