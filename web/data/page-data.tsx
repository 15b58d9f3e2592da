import { type QueryClient, useQueryClient } from '@tanstack/react-query';

const id = 'page-data';

/** What the server has fetched for this page, in the page itself: `[key, data]` of each query, as JSON. */
export function PageData() {
  const queryClient = useQueryClient();
  const json = import.meta.env.SSR ? jsonOf(queryClient) : '';
  // Hydration leaves the text as it stands.
  return <script id={id} type="application/json" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: json }} />;
}

/** The browser takes it over. */
export function takePageData(queryClient: QueryClient) {
  const text = document.getElementById(id)?.textContent;
  if (!text) return;
  for (const [key, data] of JSON.parse(text) as [string[], unknown][]) queryClient.setQueryData(key, data);
}

function jsonOf(queryClient: QueryClient): string {
  const queries = queryClient.getQueryCache().getAll();
  const done = queries.filter(({ state }) => state.status === 'success');
  return `[${done.map(({ queryHash, state }) => `[${queryHash},${written(state.data)}]`).join(',')}]`;
}

/** JSON that can stand in a script element. What many pages share (server/pages/in-process.ts) is written once. */
function written(data: unknown): string {
  if (typeof data !== 'object' || data === null) return escaped(data);
  let json = known.get(data);
  if (json === undefined) known.set(data, (json = escaped(data)));
  return json;
}
const known = new WeakMap<object, string>();
const escaped = (data: unknown) => (JSON.stringify(data) ?? 'null').replaceAll('<', String.raw`\u003c`);
