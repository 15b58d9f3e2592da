import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../../ui/button.tsx';
import { joinClassNames } from '../../ui/classes.ts';

/** A live preview of unsaved content. On wide screens it is next to the form, on others a button opens it. */
export function Preview({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const regionId = useId();
  return (
    <>
      <Button
        look="secondary"
        size="small"
        aria-expanded={isOpen}
        aria-controls={regionId}
        onClick={() => setIsOpen(!isOpen)}
        className="mb-5 xl:hidden"
      >
        <Eye aria-hidden className="size-4.5" />
        {isOpen ? 'Hide the preview' : 'Preview'}
      </Button>
      <section
        id={regionId}
        aria-label="Preview"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area needs keyboard access
        tabIndex={0}
        className={joinClassNames(
          'mb-5 rounded-xl border border-hair bg-paper p-5 xl:sticky xl:top-4 xl:max-h-[calc(100dvh-8rem)] xl:overflow-y-auto',
          !isOpen && 'max-xl:hidden',
        )}
      >
        <p className="mb-3 text-sm text-muted">What visitors will see once you save</p>
        {children}
      </section>
    </>
  );
}

interface PagePartProps {
  /** The query key of the public content that the part reads. `content` is the unsaved content that replaces it. */
  queryKey: readonly string[];
  content: unknown;
  children: ReactNode;
}

/** Renders a part of a public page with unsaved content. Its links and buttons do not work (`inert`). */
export function PagePart({ queryKey, content, children }: PagePartProps) {
  const [client] = useState(() => {
    const ownQueryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity } } });
    ownQueryClient.setQueryData(queryKey, content);
    return ownQueryClient;
  });
  useLayoutEffect(() => void client.setQueryData(queryKey, content), [client, queryKey, content]);
  return (
    <QueryClientProvider client={client}>
      <Screens>{children}</Screens>
    </QueryClientProvider>
  );
}

const screens = [
  { name: 'Phone', width: 390 },
  { name: 'Computer', width: 1280 },
];

/** Shows the part of a page as on a phone or on a computer. The phone comes first, because it needs no scaling. */
function Screens({ children }: { children: ReactNode }) {
  const [screen, setScreen] = useState(screens[0]!);
  return (
    <>
      <div role="group" aria-label="Screen" className="mb-3 flex gap-1">
        {screens.map((it) => (
          <Button
            key={it.name}
            size="small"
            look={it === screen ? 'secondary' : 'quiet'}
            aria-pressed={it === screen}
            onClick={() => setScreen(it)}
          >
            {it.name}
          </Button>
        ))}
      </div>
      <Screen width={screen.width}>{children}</Screen>
    </>
  );
}

/** Renders into an iframe of this width, so that the pages' media queries apply. Scales the iframe down to fit. */
function Screen({ width, children }: { width: number; children: ReactNode }) {
  const containerRef = useRef<HTMLDivElement>(null);
  const [page, setPage] = useState<HTMLElement>();
  const [content, setContent] = useState<HTMLElement | null>(null);
  const [size, setSize] = useState({ zoom: 1, height: 0 });
  useLayoutEffect(() => {
    if (!content) return;
    const fitToWidth = () => {
      const zoom = Math.min(1, containerRef.current!.clientWidth / width);
      if (zoom > 0) setSize({ zoom, height: content.offsetHeight });
    };
    fitToWidth();
    const resizeObserver = new ResizeObserver(fitToWidth);
    resizeObserver.observe(containerRef.current!);
    resizeObserver.observe(content);
    return () => resizeObserver.disconnect();
  }, [content, width]);
  const startPreview = (frame: HTMLIFrameElement | null) => {
    const ownQueryClient = frame?.contentDocument;
    if (!ownQueryClient || ownQueryClient.body === page) return;
    const styles = document.querySelectorAll('link[rel=stylesheet]');
    ownQueryClient.head.replaceChildren(...[...styles].map((it) => it.cloneNode()));
    ownQueryClient.documentElement.lang = document.documentElement.lang;
    setPage(ownQueryClient.body);
  };
  return (
    <div ref={containerRef}>
      <div
        className="mx-auto overflow-hidden rounded-md border border-hair"
        style={{ maxWidth: width, height: size.height * size.zoom }}
      >
        {/* No `sandbox`: it turns off scripts, and `scripting: none` styles would apply. The iframe loads no page. */}
        {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
        <iframe
          ref={startPreview}
          title="What visitors see"
          tabIndex={-1}
          onLoad={(event) => startPreview(event.currentTarget)} // some browsers replace the iframe's document on load
          className="block max-w-none origin-top-left"
          style={{ width, height: size.height, transform: `scale(${size.zoom})` }}
        />
      </div>
      {page &&
        createPortal(
          <div ref={setContent} inert className="flow-root">
            {children}
          </div>,
          page,
        )}
    </div>
  );
}
