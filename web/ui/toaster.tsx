import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { currentToast, toastsExpected } from './toast.ts';

const loadView = () => import('./toast-view.tsx');
const ToastView = lazy(loadView);

/** The place of notifications, on every page. Its code comes with the first form, or with the first toast. */
export function Toaster() {
  const toast = useSyncExternalStore(currentToast.subscribe, currentToast.get, () => undefined);
  const [wanted, setWanted] = useState(false);
  useEffect(() => toastsExpected(() => setWanted(true)), []);
  if (!wanted && !toast) return null;
  return (
    <Suspense>
      <ToastView toast={toast} />
    </Suspense>
  );
}
