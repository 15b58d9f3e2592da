import { type QueryClient, useQueryClient } from '@tanstack/react-query';

const id = 'page-data';

/** The query data that the server fetched for this page: `[key, data]` of each query, as JSON in the page. */
export function PageData() {
  const queryClient = useQueryClient();
  const json = import.meta.env.SSR ? serializeQueries(queryClient) : '';
  // The text is empty in the browser. suppressHydrationWarning keeps the server's text.
  return <script id={id} type="application/json" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: json }} />;
}

/** Puts the page's query data into the browser's query cache. */
export function loadPageDataIntoCache(queryClient: QueryClient) {
  const text = document.getElementById(id)?.textContent;
  if (!text) return;
  for (const [key, data] of JSON.parse(text) as [string[], unknown][]) queryClient.setQueryData(key, data);
}

function serializeQueries(queryClient: QueryClient): string {
  const queries = queryClient.getQueryCache().getAll();
  const finishedQueries = queries.filter(({ state }) => state.status === 'success');
  return `[${finishedQueries.map(({ queryHash, state }) => `[${queryHash},${serializePageData(state.data)}]`).join(',')}]`;
}

/**
 * JSON that is safe inside a script element. Data that many pages share (server/pages/in-process.ts) is serialized
 * only once.
 */
function serializePageData(data: unknown): string {
  if (typeof data !== 'object' || data === null) return escapeJson(data);
  let json = jsonByData.get(data);
  if (json === undefined) jsonByData.set(data, (json = escapeJson(data)));
  return json;
}
const jsonByData = new WeakMap<object, string>();
const escapeJson = (data: unknown) => (JSON.stringify(data) ?? 'null').replaceAll('<', String.raw`\u003c`);
