import { Component, type ReactNode, Suspense, useEffect, useState } from 'react';
import { isPartMissing, partMissing } from '../data/error-words.ts';
import { Button } from './button.tsx';
import { classes } from './classes.ts';

interface Props {
  /** Stands there until the code has come. */
  waiting?: ReactNode;
  /** Stands there where it does not come. */
  instead: ReactNode;
  children: ReactNode;
}

/** Around a part whose code comes once it is wanted: the page stays where it does not. Any other failure is the page's. */
export class Late extends Component<Props, { error?: unknown }> {
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

/** Loads the page anew where a part of it is gone; answers whether that is under way. */
export function useLoadedAnew(isMissing: boolean): boolean {
  const [isComing, setIsComing] = useState(isMissing);
  useEffect(() => {
    if (isMissing) window.loadAnew().catch(() => setIsComing(false));
  }, [isMissing]);
  return isComing;
}

/**
 * In place of a part that somebody has asked for that loading the page anew has not brought: at the foot of the window,
 * or, `inPlace`, where the part would stand.
 */
export function MissingPart({ inPlace = false }: { inPlace?: boolean }) {
  if (useLoadedAnew(true)) return null;
  return (
    <div
      role="alert"
      className={classes(
        'rounded-lg border border-hair bg-card p-4 text-ink',
        inPlace ? 'mt-6 max-w-xl' : 'fixed right-4 bottom-4 left-4 z-60 shadow-lifted sm:left-auto sm:max-w-md',
      )}
    >
      <p>{partMissing}</p>
      <Button size="small" className="mt-3" onClick={() => location.reload()}>
        Load the page again
      </Button>
    </div>
  );
}
