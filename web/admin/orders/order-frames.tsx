import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import type { AdminUpload } from '#contract/owner/photos.ts';
import { type ApiResponseBody, query } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { countText } from '#contract/count-text.ts';
import { megabytesText } from '../../account/purchase-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Badge, Skeleton } from '../../ui/surfaces.tsx';
import { QrPhotoLink } from '../qr-photo-link.tsx';
import { uncachedQueryOptions, useSessionEndOn } from '../session.ts';
import { OrderPanelSection } from './order-panel-section.tsx';
import { OrderUploads, orderUploadsQuery, typeLabel } from './upload-management.tsx';

type Device = ApiResponseBody<'GET /api/admin/devices'>[number];
const connectionLabels: Record<Device['connectionStatus'], { label: string; tone: 'neutral' | 'warn' | 'good' }> = {
  none: { label: 'Not connected', tone: 'neutral' },
  pending: { label: 'To connect', tone: 'warn' },
  connected: { label: 'Connected', tone: 'good' },
};

/** The frames of an order, with the connection details and the photos of each frame. */
export function OrderFrames({ order }: { order: AdminOrder }) {
  const devices = useQuery({
    ...query('/api/admin/devices', { query: { orderId: order.id } }),
    ...uncachedQueryOptions,
  });
  const uploads = useQuery({ ...orderUploadsQuery(order.id), ...uncachedQueryOptions });
  const [shown, setShown] = useState<AdminUpload>();
  const error = devices.error ?? uploads.error;
  useSessionEndOn(error);
  if (error) {
    return (
      <OrderPanelSection title="Frames and photos">
        <p className="text-bad">{errorText(error, 'Failed to fetch uploads')}</p>
      </OrderPanelSection>
    );
  }
  if (!devices.data || !uploads.data) {
    return (
      <OrderPanelSection title="Frames and photos">
        <Skeleton className="h-40" />
      </OrderPanelSection>
    );
  }
  // In the customer's order, frame by frame.
  const photos = devices.data.flatMap(({ id }) =>
    uploads.data.filter((it) => it.frameId === id).toSorted((a, b) => a.positionInFrame - b.positionInFrame),
  );
  return (
    <>
      {devices.data.map((device) => (
        <OrderPanelSection key={device.id} title={device.deviceName}>
          <Connection device={device} />
          <Photos photos={photos.filter((it) => it.frameId === device.id)} onShow={setShown} />
        </OrderPanelSection>
      ))}
      <OrderUploads order={order} photos={photos} onView={setShown} />
      {shown && <PhotoDialog photo={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function Connection({ device }: { device: Device }) {
  const { label, tone } = connectionLabels[device.connectionStatus];
  return (
    <div className="space-y-2">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{label}</Badge>
        <span className="text-muted">{device.deviceType === 'byof' ? "The customer's own frame" : 'Kinframe'}</span>
      </p>
      {device.invitationCode && (
        <p>
          <span className="text-muted">Invitation code </span>
          <span className="font-mono break-all select-all">{device.invitationCode}</span>
        </p>
      )}
      {device.qrPhotoPath && <QrPhotoLink path={device.qrPhotoPath} />}
    </div>
  );
}

function Photos({ photos, onShow }: { photos: AdminUpload[]; onShow: (photo: AdminUpload) => void }) {
  if (photos.length === 0) return <p className="mt-3 text-muted">No photos yet.</p>;
  const processedCount = photos.filter((it) => it.isProcessed).length;
  return (
    <div className="mt-3">
      <p className="mb-2 text-sm text-muted">
        {countText(photos.length, 'photo')}, {processedCount} processed
      </p>
      <ul className="grid grid-cols-3 gap-2 sm:grid-cols-5 xl:grid-cols-4">
        {photos.map((photo) => (
          <li key={photo.id}>
            <button
              type="button"
              onClick={() => onShow(photo)}
              aria-label={`View ${photo.originalFileName}, ${photo.isProcessed ? 'processed' : 'processing'}`}
              className="relative block w-full overflow-hidden rounded-md bg-clay focus-visible:rounded-md"
            >
              <img
                src={photo.thumbnailUrl}
                alt=""
                width={photo.width}
                height={photo.height}
                loading="lazy"
                className="aspect-square w-full object-cover"
              />
              <span
                className={`absolute inset-x-0 bottom-0 py-0.5 text-center text-xs font-semibold ${photo.isProcessed ? 'bg-good text-white' : 'bg-paper/90 text-ink'}`}
              >
                {photo.isProcessed ? 'Processed' : 'Processing'}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function PhotoDialog({ photo, onClose }: { photo: AdminUpload; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={photo.originalFileName}
      description={`${typeLabel(photo.mimeType)} · ${megabytesText(photo.fileSize)} · ${photo.width} × ${photo.height} · ${shortMomentText(photo.uploadedAt)}`}
      size="wide"
    >
      <img
        src={photo.url}
        alt={photo.originalFileName}
        width={photo.width}
        height={photo.height}
        className="mx-auto mt-5 h-auto max-h-[65dvh] w-auto rounded-md bg-clay"
      />
      {photo.processedVideoPath && (
        <p className="mt-4">
          <a href={photo.processedVideoPath} target="_blank" rel="noreferrer" className="link">
            Watch the video in a new tab
          </a>
        </p>
      )}
    </Dialog>
  );
}
