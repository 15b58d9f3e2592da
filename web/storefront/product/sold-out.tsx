import { lazy } from 'react';
import { paths } from '../../paths.ts';
import { Late, MissingPart } from '../../ui/late.tsx';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/surfaces.tsx';

/** Loads with the page only while the frame is sold out, because it needs the code for forms. */
const FramesBackForm = lazy(() => import('./frames-back-form.tsx').then((it) => ({ default: it.FramesBackForm })));

/** Shown in place of the purchase of a frame while none is left. */
export function SoldOut() {
  return (
    <div className="space-y-4">
      <p className="title-3">Sold out</p>
      <p className="text-muted">The Kinframe is sold out right now.</p>
      <Late waiting={<Skeleton className="h-52" />} instead={<MissingPart inPlace />}>
        <FramesBackForm />
      </Late>
      <p className="border-t border-hair pt-4 text-[0.9375rem] text-muted">
        Do you own a Wi-Fi frame?{' '}
        <Link to={paths.byof} className="link">
          We can bring your photos to life on it
        </Link>
      </p>
    </div>
  );
}
