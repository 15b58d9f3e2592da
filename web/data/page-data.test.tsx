import { QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PageData } from './page-data.tsx';
import { createQueryClient } from './query-client.ts';

test('writes the data of successful queries into the page, escaped so that it cannot end the script', async () => {
  const faqs = [{ question: 'Why?', answer: '</script><script>alert(1)</script><!-- “so”' }];
  const okResponse = { ok: true, status: 200, statusText: '', json: async () => faqs, text: async () => '' };
  const unavailableResponse = { ...okResponse, ok: false, status: 503 };
  const queryClient = createQueryClient(async (url) => (url === '/data/faqs.json' ? okResponse : unavailableResponse));
  await queryClient.prefetchQuery({ queryKey: ['/data', 'faqs.json'] });
  await queryClient.prefetchQuery({ queryKey: ['/data', 'hero.json'] });
  const html = renderToString(
    <QueryClientProvider client={queryClient}>
      <PageData />
    </QueryClientProvider>,
  );
  const [, text = ''] = /^<script id="page-data" type="application\/json">([^<]*)<\/script>$/.exec(html) ?? [];
  expect(JSON.parse(text)).toEqual([[['/data', 'faqs.json'], faqs]]);
});

test('the server’s query client fetches each address once for a page, and again only after a failure', async () => {
  let requestCount = 0;
  const queryClient = createQueryClient(async () => {
    requestCount += 1;
    return { ok: requestCount > 1, status: 503, statusText: '', json: async () => [], text: async () => '' };
  });
  const options = { queryKey: ['/data', 'faqs.json'] };
  await queryClient.prefetchQuery(options);
  await Promise.all([queryClient.prefetchQuery(options), queryClient.ensureQueryData(options)]);
  await queryClient.ensureQueryData(options);
  expect(requestCount).toBe(2);
});
