import { Share2 } from 'lucide-react';
import { lazy } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { LazyBoundary } from './lazy-boundary.tsx';
import { Skeleton } from './surfaces.tsx';

const QrCode = lazy(() => import('./qr-code.tsx').then((it) => ({ default: it.QrCode })));

/** A link as a QR code and as text, with a button to copy it. */
export function CopyableLink({ url, what }: { url: string; what: string }) {
  return (
    <div className="mt-5 rounded-lg bg-linen p-4 text-ink">
      <LazyBoundary waiting={<Skeleton className="mx-auto size-56" />} instead={null}>
        <QrCode text={url} label={`QR code of ${what}`} className="mx-auto size-56 rounded-md" />
      </LazyBoundary>
      <p className="mt-3 font-mono text-sm break-all select-all">{url}</p>
      <CopyButton text={url} what={what}>
        Copy link
      </CopyButton>
    </div>
  );
}

/** A button that opens the device's share sheet. Renders nothing if the device has none. */
export function ShareSheet({ url, title }: { url: string; title: string }) {
  if (!('share' in navigator)) return null;
  return (
    <Button
      wide
      className="mt-4"
      // The promise rejects when the user closes the sheet. This is not an error.
      onClick={() => void navigator.share({ url, title }).catch(() => undefined)}
    >
      <Share2 aria-hidden className="size-5" />
      Share...
    </Button>
  );
}
