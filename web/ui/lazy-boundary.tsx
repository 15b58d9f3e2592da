import { Component, type ReactNode, Suspense, useEffect, useState } from 'react';
import { isPartMissing, partMissingText } from '../data/error-text.ts';
import { Button } from './button.tsx';
import { joinClassNames } from './classes.ts';

interface Props {
  /** Shown while the code loads. */
  waiting?: ReactNode;
  /** Shown if the code fails to load. */
  instead: ReactNode;
  children: ReactNode;
}

/**
 * Wraps a component whose code loads on demand. If the code fails to load, renders `instead`, and the rest of the page
 * stays. Throws any other error to the page's error boundary.
 */
export class LazyBoundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    const { error } = this.state;
    const { waiting, instead, children } = this.props;
    if (error === undefined) return <Suspense fallback={waiting}>{children}</Suspense>;
    if (!isPartMissing(error)) throw error;
    return instead;
  }
}

/** Reloads the page if `isMissing`: code of the page failed to load. Returns whether the reload is in progress. */
export function useReloadedChunk(isMissing: boolean): boolean {
  const [isComing, setIsComing] = useState(isMissing);
  useEffect(() => {
    if (isMissing) window.loadAnew().catch(() => setIsComing(false));
  }, [isMissing]);
  return isComing;
}

/**
 * The message for a component that is still missing after a reload of the page. Appears at the bottom of the window, or
 * with `inPlace` where the component would be.
 */
export function MissingPart({ inPlace = false }: { inPlace?: boolean }) {
  if (useReloadedChunk(true)) return null;
  return (
    <div
      role="alert"
      className={joinClassNames(
        'rounded-lg border border-hair bg-card p-4 text-ink',
        inPlace ? 'mt-6 max-w-xl' : 'fixed right-4 bottom-4 left-4 z-60 shadow-lifted sm:left-auto sm:max-w-md',
      )}
    >
      <p>{partMissingText}</p>
      <Button size="small" className="mt-3" onClick={() => location.reload()}>
        Reload the page
      </Button>
    </div>
  );
}
