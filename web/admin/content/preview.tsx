import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';

/** What visitors will read, as it is typed: beside the form where there is room, else on demand. */
export function Preview({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const tied = useId();
  return (
    <>
      <Button
        look="secondary"
        size="small"
        aria-expanded={isOpen}
        aria-controls={tied}
        onClick={() => setIsOpen(!isOpen)}
        className="mb-5 xl:hidden"
      >
        <Eye aria-hidden className="size-4.5" />
        {isOpen ? 'Hide the preview' : 'Preview'}
      </Button>
      <section
        id={tied}
        aria-label="Preview"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys
        tabIndex={0}
        className={classes(
          'mb-5 rounded-xl border border-hair bg-paper p-5 xl:sticky xl:top-4 xl:max-h-[calc(100dvh-8rem)] xl:overflow-y-auto',
          !isOpen && 'max-xl:hidden',
        )}
      >
        <p className="mb-3 text-sm text-muted">As visitors will read it once you save</p>
        {children}
      </section>
    </>
  );
}

interface PagePartProps {
  /** Of the public content that the part reads, and what it is to read there. */
  queryKey: readonly string[];
  content: unknown;
  /** False where its look does not go by the width of the screen. */
  isFitted?: boolean;
  children: ReactNode;
}

/** A part of a public page, drawn by itself from content that is not saved yet. Nothing in it can be used. */
export function PagePart({ queryKey, content, isFitted = true, children }: PagePartProps) {
  const [client] = useState(() => {
    const own = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity } } });
    own.setQueryData(queryKey, content);
    return own;
  });
  useLayoutEffect(() => void client.setQueryData(queryKey, content), [client, queryKey, content]);
  return (
    <QueryClientProvider client={client}>
      {isFitted ? <Fitted>{children}</Fitted> : <div inert>{children}</div>}
    </QueryClientProvider>
  );
}

/** As wide as this screen is, made smaller until it fits: the pages' own rules for screens hold in it. */
function Fitted({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  useLayoutEffect(() => {
    const room = box.current!;
    const fit = () => {
      if (room.clientWidth > 0) setZoom(room.clientWidth / document.documentElement.clientWidth);
    };
    fit();
    const watcher = new ResizeObserver(fit);
    watcher.observe(room);
    return () => watcher.disconnect();
  }, []);
  return (
    <div ref={box} className="overflow-hidden rounded-md border border-hair">
      <div inert style={{ zoom }}>
        {children}
      </div>
    </div>
  );
}
