import type { ReactNode } from 'react';

/** Draws a picture frame around a photo or a video, in the shape of the Kinframe. */
export function TrialFrame({ children }: { children: ReactNode }) {
  return (
    <div className="picture-frame">
      <div className="picture-mount">
        <div className="picture-screen relative overflow-hidden bg-black">{children}</div>
      </div>
    </div>
  );
}
