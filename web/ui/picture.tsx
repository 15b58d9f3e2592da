import type { CSSProperties } from 'react';
import { findGeneratedPicture } from '../media.ts';
import { joinClassNames } from './classes.ts';

export interface PictureProps {
  /**
   * A name in public/media/media.json (product/front), its address, or the address of any picture the owner entered.
   */
  src: string;
  /** What the picture shows. Empty if the text next to it already says so. */
  alt: string;
  /** The displayed width as CSS `sizes`: "(min-width: 64rem) 50vw, 100vw". */
  sizes?: string;
  /** For the lead picture: loads at once and with high priority, so that other pictures do not take its bandwidth. */
  priority?: boolean;
  className?: string;
  style?: CSSProperties;
}

/** A picture as AVIF or else WebP, in the width that the screen needs. Its space is reserved while it loads. */
export function Picture({ src, alt, sizes = '100vw', priority = false, className, style }: PictureProps) {
  const picture = findGeneratedPicture(src);
  // The scripts in art/ have not made this picture yet. Show a placeholder instead of a broken image.
  if (!picture && isMadeByUs(src)) return <MissingPicture alt={alt} className={className} />;
  const image = (
    <img
      src={picture ? picture.fallback : src}
      alt={alt}
      {...(picture && { width: picture.width, height: picture.height })}
      loading={priority ? 'eager' : 'lazy'}
      fetchPriority={priority ? 'high' : 'low'}
      decoding={priority ? 'sync' : 'async'}
      className={joinClassNames(!picture && 'bg-clay/50', 'object-cover', className)}
      style={picture ? { backgroundColor: picture.color, ...style } : style}
    />
  );
  if (!picture) return image;
  return (
    <picture className="contents">
      <source type="image/avif" srcSet={picture.avif} sizes={sizes} />
      <source type="image/webp" srcSet={picture.webp} sizes={sizes} />
      {image}
    </picture>
  );
}

/** Whether this is a picture that the scripts in art/ make: its name, or the address of its fallback file. */
const isMadeByUs = (src: string) => !/^(\/|https?:|data:|blob:)/.test(src) || /^\/media\/.*-1200\.jpg$/.test(src);

function MissingPicture({ alt, className }: { alt: string; className: string | undefined }) {
  return (
    <span
      role="img"
      aria-label={alt}
      aria-hidden={alt === '' || undefined}
      className={joinClassNames('block bg-clay', className)}
    />
  );
}
