import { lazy, useEffect, useState, useSyncExternalStore } from 'react';
import { LazyBoundary } from './lazy-boundary.tsx';
import { currentToast, storeToastForNextPage, showStoredToast, onToastsExpected, type Toast } from './toast.ts';

const loadView = () => import('./toast-view.tsx');
const ToastView = lazy(loadView);

/** Renders notifications on every page. The code of ToastView loads after expectToasts or with the first toast. */
export function Toaster() {
  const shownToast = useSyncExternalStore(currentToast.subscribe, currentToast.get, () => undefined);
  const [wanted, setWanted] = useState(false);
  useEffect(() => onToastsExpected(() => setWanted(true)), []);
  useEffect(() => {
    showStoredToast();
    addEventListener('pagehide', storeToastForNextPage);
    return () => removeEventListener('pagehide', storeToastForNextPage);
  }, []);
  if (!wanted && !shownToast) return null;
  return (
    <LazyBoundary instead={shownToast && <PlainToast toast={shownToast} />}>
      <ToastView toast={shownToast} />
    </LazyBoundary>
  );
}

/** A simple notification, used if the notification's code fails to load. */
const PlainToast = ({ toast: { id, title, description, destructive } }: { toast: Toast }) => (
  <div
    role={destructive ? 'alert' : 'status'}
    className="fixed right-0 bottom-0 z-60 m-4 max-w-md rounded-lg border border-hair bg-card p-4 text-ink shadow-lifted sm:m-6"
  >
    <p className="font-semibold">{title}</p>
    {description && <p className="mt-0.5 text-[0.9375rem] text-muted">{description}</p>}
    <button type="button" className="link min-h-11 font-semibold" onClick={() => currentToast.close(id)}>
      Close
    </button>
  </div>
);
