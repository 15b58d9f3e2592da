import { lazy } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { LazyBoundary, MissingPart } from '../../ui/lazy-boundary.tsx';
import { SecuritySkeleton } from './security-skeleton.tsx';

const Security = lazy(() => import('./security.tsx').then((it) => ({ default: it.Security })));

/** The owner's sessions, second factor and passkeys. */
export function SecurityDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Security">
      <LazyBoundary waiting={<SecuritySkeleton />} instead={<MissingPart inPlace />}>
        <Security />
      </LazyBoundary>
    </Dialog>
  );
}
