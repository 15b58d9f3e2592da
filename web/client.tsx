import { RouterClient } from '@tanstack/react-router/ssr/client';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { getRouter } from './router.tsx';
import { containerId } from './standing-alone.tsx';

if (document.getElementById(containerId)) {
  // A public page is sent its own entry; in development, where every page is sent this one, it is asked for here.
  void import('./public.tsx');
} else {
  const router = getRouter();

  // Not TanStack's StartClient: that one carries 12 KB (gzip) for server functions, and we have a contract instead.
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RouterClient router={router} />
      </StrictMode>,
    );
  });
}
