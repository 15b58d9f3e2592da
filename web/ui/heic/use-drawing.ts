import { useEffect, useState } from 'react';
import { drawHeic, isHeic } from './draw-heic.ts';

/**
 * What draws a photo that the shop does not have yet: its own file, or where the browser cannot draw that, a small picture of
 * it made here. No address where there is none, or none yet.
 */
export function useDrawing(file: File, ownUrl: string): { url: string | undefined; onError: () => void } {
  const [isUndrawn, setIsUndrawn] = useState(false);
  const [drawnUrl, setDrawnUrl] = useState<string>();
  useEffect(() => {
    if (!isUndrawn || !isHeic(file)) return;
    const leaving = new AbortController();
    let url: string | undefined;
    void drawHeic(file, leaving.signal).then((drawn) => {
      if (drawn && !leaving.signal.aborted) setDrawnUrl((url = URL.createObjectURL(drawn)));
    });
    return () => {
      leaving.abort();
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [file, isUndrawn]);
  return { url: isUndrawn ? drawnUrl : ownUrl, onError: () => setIsUndrawn(true) };
}
