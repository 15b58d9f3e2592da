import { useQuery } from '@tanstack/react-query';
import { builtInSite } from '#contract/built-in-site.ts';
import { siteQuery } from './queries.ts';

/** Site Settings in a page. Every page fetches them, and uses the built-in settings if the request failed. */
export const useSite = () => useQuery(siteQuery()).data ?? builtInSite;
