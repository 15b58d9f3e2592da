import { useState } from 'react';
import { isVideo, findGeneratedPicture } from '../../media.ts';

/** A preview of the picture or video at an address. Shows the address as text if it does not load. */
export function MediaPreview({ address, name = '' }: { address: string; name?: string }) {
  const [isMissing, setIsMissing] = useState(false);
  const shapeClasses = 'h-24 max-w-full rounded-md border border-hair bg-linen object-cover';
  const onError = () => setIsMissing(true);
  if (isMissing)
    return (
      <p className="text-muted">
        No preview: <span className="break-all">{address}</span>
      </p>
    );
  return isVideo(address) ? (
    <video
      src={address}
      aria-label={name || undefined}
      muted
      playsInline
      preload="metadata"
      className={shapeClasses}
      onError={onError}
    />
  ) : (
    <img
      src={findGeneratedPicture(address)?.fallback ?? address}
      alt={name}
      className={shapeClasses}
      onError={onError}
    />
  );
}
