import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { loadPageDataIntoCache } from './data/page-data.tsx';
import { createQueryClient } from './data/query-client.ts';
import { PublicPage, type PublicPageValues } from './public-page.tsx';
import { publicPages } from './public-pages.ts';
import { currentPageContext } from './page-context.ts';
import { parseSearch } from './search.ts';
import { containerId } from './standalone-page.tsx';

const container = document.getElementById(containerId)!;
const pageValues = JSON.parse(container.dataset['given']!) as PublicPageValues;
const queryClient = createQueryClient(currentPageContext().fetch);
loadPageDataIntoCache(queryClient);

// Loads only the code of this page, not the router and not the other pages.
publicPages[pageValues.page]().then((page) => {
  startTransition(() => {
    hydrateRoot(
      container,
      <StrictMode>
        <PublicPage given={pageValues} search={parseSearch(location.search)} queryClient={queryClient} page={page} />
      </StrictMode>,
    );
  });
}, window.loseCode);
