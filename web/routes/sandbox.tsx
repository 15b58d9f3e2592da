import { createFileRoute } from '@tanstack/react-router';
import { ApiError } from '../data/api.ts';
import { rethrowAsNotFound } from '../data/not-found.ts';
import { paths } from '../paths.ts';
import { SandboxPage } from '../sandbox/sandbox-page.tsx';
import { sandboxQuery } from '../sandbox/sandbox-queries.ts';
import { numberParam, oneOfParam, defineSearchParams, textParam } from '../search-params.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/sandbox')({
  validateSearch: defineSearchParams({
    tab: oneOfParam('mails', 'letters', 'payments', 'journeys'),
    mail: textParam(200),
    letter: textParam(10),
    page: numberParam,
  }),
  loader: async ({ context: { queryClient } }) => {
    try {
      await queryClient.ensureQueryData(sandboxQuery());
    } catch (error) {
      // A visitor without access gets the page too. It asks this visitor to sign in as the owner.
      if (!(error instanceof ApiError && [401, 403].includes(error.status))) rethrowAsNotFound(error);
    }
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Sandbox',
      description: 'Emails sent and payments made by this demo shop.',
      path: paths.sandbox,
      hidden: true,
    }),
  component: Sandbox,
});

function Sandbox() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <SandboxPage
      search={search}
      onSearch={(change) => void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })}
    />
  );
}
