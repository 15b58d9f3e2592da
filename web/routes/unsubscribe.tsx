import { createFileRoute } from '@tanstack/react-router';
import { UnsubscribePage } from '../account/unsubscribe-page.tsx';
import { createPageHead } from '../ui/page-head.ts';
import { defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({ token: textParam(), of: textParam(10) });

export const Route = createFileRoute('/unsubscribe')({
  validateSearch: Search,
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Reminders',
      description: 'Stop the reminders.',
      path: '/unsubscribe',
      hidden: true,
    }),
  component: Unsubscribe,
});

function Unsubscribe() {
  const { token, of } = Route.useSearch();
  return <UnsubscribePage token={token} isOfCart={of === 'cart'} />;
}
