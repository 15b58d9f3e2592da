import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react';

/** After which it is asked for again, each time later. */
const waitsMs = [1000, 4000, 10_000, 30_000];

interface Props extends Omit<ComponentProps<'img'>, 'ref' | 'onLoad' | 'onError'> {
  /** It is there to be seen. */
  onShown?: (image: HTMLImageElement) => void;
}

/**
 * A picture that comes again when the line does. A browser asks for one once, and what a weak line loses would stay a hole
 * until the page is loaded anew.
 */
export function LastingImage({ onShown, alt, ...props }: Props) {
  const image = useRef<HTMLImageElement>(null);
  const [tries, setTries] = useState(0);
  const [isLost, setIsLost] = useState(false);
  const settled = useEffectEvent((it: HTMLImageElement) => {
    if (it.naturalWidth > 0) onShown?.(it);
    else setIsLost(true);
  });
  useEffect(() => {
    if (image.current?.complete) settled(image.current); // before the page was awake
  }, []);
  useEffect(() => {
    if (!isLost) return;
    const again = () => {
      setIsLost(false);
      setTries((it) => it + 1);
    };
    const wait = waitsMs[tries];
    const timer = wait !== undefined && navigator.onLine ? setTimeout(again, wait) : undefined;
    addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', again);
    };
  }, [isLost, tries]);
  return (
    <img
      key={tries}
      ref={image}
      {...props}
      alt={alt}
      onLoad={(event) => onShown?.(event.currentTarget)}
      onError={() => setIsLost(true)}
    />
  );
}
