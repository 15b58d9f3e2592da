import { RouterClient } from '@tanstack/react-router/ssr/client';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { getRouter } from './router.tsx';
import { containerId } from './standalone-page.tsx';

if (document.getElementById(containerId)) {
  // In production a public page loads public.tsx and not this file. In development every page loads this file, so
  // import public.tsx here.
  void import('./public.tsx');
} else {
  const router = getRouter();

  // Do not use TanStack's StartClient: it adds 12 KB (gzip) for server functions. The shop has no server functions, it
  // calls its API.
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RouterClient router={router} />
      </StrictMode>,
    );
  });
}
