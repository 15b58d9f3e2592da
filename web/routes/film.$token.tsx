import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { query } from '../data/api.ts';
import { orNotFound } from '../data/not-found.ts';
import { FilmPage, UnknownFilmPage } from '../trial/film-page.tsx';
import { pageHead } from '../ui/page-head.ts';

const filmQuery = (token: string) => query('/api/trial/film/:token', { params: { token } });

export const Route = createFileRoute('/film/$token')({
  /** The API's response also sets the cookie that gives access to the film. The server sends it with the page. */
  loader: ({ context: { queryClient }, params: { token } }) =>
    queryClient.ensureQueryData(filmQuery(token)).then(() => undefined, orNotFound),
  head: ({ match }) => {
    const head = pageHead(match.context, {
      title: 'A photo, brought to life',
      description: 'A private page with the film of one photo.',
      path: '/film',
      hidden: true,
    });
    return { ...head, meta: [...head.meta, { name: 'referrer', content: 'no-referrer' }], links: [] };
  },
  component: Film,
  notFoundComponent: UnknownFilmPage,
});

function Film() {
  const { token } = Route.useParams();
  return <FilmPage film={useSuspenseQuery(filmQuery(token)).data} />;
}
