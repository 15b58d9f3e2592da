import type { FastifyReply, FastifyRequest } from 'fastify';
import { listLimits, type ListQuery, type ListResponse } from '#contract/lists.ts';

/**
 * Returns one page of a list as an array, with 500 rows unless the query sets another limit. The Link header contains
 * the address of the next page (RFC 8288).
 */
export async function readRowsAndSetNextLink<Row, Query extends ListQuery>(
  { request, reply, query }: { request: FastifyRequest; reply: FastifyReply; query: Query },
  page: (query: Query) => Promise<Pick<ListResponse<Row>, 'rows' | 'next'>>,
): Promise<Row[]> {
  const { rows, next } = await page({ limit: listLimits.arrayRows, ...query, isCounted: false });
  if (next !== null) {
    const search = new URLSearchParams({ ...(request.query as Record<string, string>), after: next });
    search.delete('admin_key');
    reply.header('link', `<${request.url.split('?')[0]}?${search.toString()}>; rel="next"`);
  }
  return rows;
}
