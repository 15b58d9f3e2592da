import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Component, type ComponentType, type ReactNode } from 'react';
import type { PublicPath } from './public-pages.ts';
import { PageFrame, type PageValues } from './shell/page-frame.tsx';
import { ErrorPage } from './shell/problem-page.tsx';
import { PlainNavigation } from './ui/navigation.tsx';

export interface PublicPageValues extends PageValues {
  page: PublicPath;
}

interface Props {
  given: PublicPageValues;
  search: Record<string, unknown>;
  queryClient: QueryClient;
  page: ComponentType;
}

/**
 * A public page with header, banner and footer. The server renders it as a separate React root, and the browser
 * hydrates that root.
 */
export function PublicPage({ given, search, queryClient, page: Page }: Props) {
  return (
    <QueryClientProvider client={queryClient}>
      <PlainNavigation address={{ pathname: given.page, search }}>
        <PageErrorBoundary>
          <PageFrame given={given} path={given.page}>
            <PageErrorBoundary>
              <Page />
            </PageErrorBoundary>
          </PageFrame>
        </PageErrorBoundary>
      </PlainNavigation>
    </QueryClientProvider>
  );
}

/** An error boundary. If its children throw during rendering, it shows an error page in their place. */
class PageErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <ErrorPage error={error} onRetry={() => location.reload()} />;
  }
}
