import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { query } from '../data/api.ts';
import { rethrowAsNotFound } from '../data/not-found.ts';
import { trialOfferQuery } from '../data/queries.ts';
import { TrialVideoPage, UnknownTrialVideoPage } from '../trial/trial-video-page.tsx';
import { createPageHead } from '../ui/page-head.ts';

const filmQuery = (token: string) => query('/api/trial/film/:token', { params: { token } });

export const Route = createFileRoute('/film/$token')({
  /** The API's response also sets the cookie that gives access to the video. The server sends it with the page. */
  loader: async ({ context: { queryClient }, params: { token } }) => {
    await queryClient.prefetchQuery(trialOfferQuery());
    await queryClient.ensureQueryData(filmQuery(token)).catch(rethrowAsNotFound);
  },
  head: ({ match }) => {
    const head = createPageHead(match.context, {
      title: 'A photo, brought to life',
      description: 'A private page with the video of one photo.',
      path: '/film',
      hidden: true,
    });
    return { ...head, meta: [...head.meta, { name: 'referrer', content: 'no-referrer' }], links: [] };
  },
  component: Film,
  notFoundComponent: UnknownTrialVideoPage,
});

function Film() {
  const { token } = Route.useParams();
  return <TrialVideoPage film={useSuspenseQuery(filmQuery(token)).data} />;
}
