import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react';

/** The delay before each retry, in ms. */
const retryDelaysMs = [1000, 4000, 10_000, 30_000];

interface Props extends Omit<ComponentProps<'img'>, 'ref' | 'onLoad' | 'onError'> {
  /** Called when the image has loaded. */
  onShown?: (image: HTMLImageElement) => void;
}

/**
 * An image that retries after it failed to load. A browser requests an image only once. After a lost connection, the
 * image would be missing until the page is reloaded.
 */
export function RetryingImage({ onShown, alt, ...props }: Props) {
  const image = useRef<HTMLImageElement>(null);
  const [tries, setTries] = useState(0);
  const [isLost, setIsLost] = useState(false);
  const onImageSettled = useEffectEvent((it: HTMLImageElement) => {
    if (it.naturalWidth > 0) onShown?.(it);
    else setIsLost(true);
  });
  useEffect(() => {
    if (image.current?.complete) onImageSettled(image.current); // Runs once, for an image that loaded or failed before hydration.
  }, []);
  useEffect(() => {
    if (!isLost) return;
    const retryLoading = () => {
      setIsLost(false);
      setTries((it) => it + 1);
    };
    const retryDelayMs = retryDelaysMs[tries];
    const timer = retryDelayMs !== undefined && navigator.onLine ? setTimeout(retryLoading, retryDelayMs) : undefined;
    addEventListener('online', retryLoading);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', retryLoading);
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
