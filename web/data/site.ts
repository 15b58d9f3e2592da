import { useQuery } from '@tanstack/react-query';
import { builtInSite } from '#contract/built-in-site.ts';
import { siteQuery } from './queries.ts';

/** Site Settings in a page: every page has fetched them, and opens with the built-in ones where that was in vain. */
export const useSite = () => useQuery(siteQuery()).data ?? builtInSite;
