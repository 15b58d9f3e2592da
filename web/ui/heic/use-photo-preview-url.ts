import { useEffect, useState } from 'react';
import { drawHeic, isHeic } from './draw-heic.ts';

/**
 * The URL of the preview of a photo that is not uploaded yet. If the browser cannot display the file, the preview is a
 * small picture decoded from it. Undefined while the file is decoded, and if it cannot be decoded.
 */
export function usePhotoPreviewUrl(file: File, ownUrl: string): { url: string | undefined; onError: () => void } {
  const [isUndrawn, setIsUndrawn] = useState(false);
  const [drawnUrl, setDrawnUrl] = useState<string>();
  useEffect(() => {
    if (!isUndrawn || !isHeic(file)) return;
    const unmountController = new AbortController();
    let url: string | undefined;
    void drawHeic(file, unmountController.signal).then((drawn) => {
      if (drawn && !unmountController.signal.aborted) setDrawnUrl((url = URL.createObjectURL(drawn)));
    });
    return () => {
      unmountController.abort();
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [file, isUndrawn]);
  return { url: isUndrawn ? drawnUrl : ownUrl, onError: () => setIsUndrawn(true) };
}
