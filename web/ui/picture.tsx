import type { CSSProperties } from 'react';
import { madePicture } from '../media.ts';
import { classes } from './classes.ts';

export interface PictureProps {
  /** A name in public/media/media.json (product/front), its address, or any picture the owner entered. */
  src: string;
  /** What it shows; empty when the text beside it says so already. */
  alt: string;
  /** How wide it stands, as CSS `sizes`: "(min-width: 64rem) 50vw, 100vw". */
  sizes?: string;
  /** The picture people see first: fetched at once, before the rest, which leave it the line. */
  priority?: boolean;
  className?: string;
  style?: CSSProperties;
}

/** AVIF, else WebP, in the width the screen needs; its place is kept while it loads. */
export function Picture({ src, alt, sizes = '100vw', priority = false, className, style }: PictureProps) {
  const picture = madePicture(src);
  // Not made yet: its place, rather than a broken picture.
  if (!picture && isMadeByUs(src)) return <MissingPicture alt={alt} className={className} />;
  const image = (
    <img
      src={picture ? picture.fallback : src}
      alt={alt}
      {...(picture && { width: picture.width, height: picture.height })}
      loading={priority ? 'eager' : 'lazy'}
      fetchPriority={priority ? 'high' : 'low'}
      decoding={priority ? 'sync' : 'async'}
      className={classes(!picture && 'bg-clay/50', 'object-cover', className)}
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

/** A picture art/ is to make, by its name or its fallback's address. */
const isMadeByUs = (src: string) => !/^(\/|https?:|data:|blob:)/.test(src) || /^\/media\/.*-1200\.jpg$/.test(src);

function MissingPicture({ alt, className }: { alt: string; className: string | undefined }) {
  return (
    <span
      role="img"
      aria-label={alt}
      aria-hidden={alt === '' || undefined}
      className={classes('block bg-clay', className)}
    />
  );
}
