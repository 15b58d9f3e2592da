import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Wifi } from 'lucide-react';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { EmptyState, Skeleton } from '../../ui/surfaces.tsx';
import { limitsQuery } from '../limits-query.ts';
import { LoadProblem } from '../load-problem.tsx';
import { createFrameLabels } from '../frame-labels.ts';
import { ConnectionCard } from './connection-card.tsx';

/** /connect: the connection details of all the customer's frames, including frames whose photos are finalized. */
export function ConnectPage({ frameId }: { frameId: string | undefined }) {
  const { data, error, refetch } = useQuery(limitsQuery());
  if (error) return <LoadProblem title="We couldn’t load your frames" error={error} onRetry={() => void refetch()} />;
  if (!data) return <ConnectSkeleton />;
  // Show the requested frame first. A frame of a canceled order needs no connection.
  const frames = data.frames
    .filter((it) => !it.isCanceled)
    .toSorted((a, b) => Number(b.deviceId === frameId) - Number(a.deviceId === frameId));
  const labels = createFrameLabels(frames);
  return (
    <section className="wrap max-w-3xl py-8 sm:py-12">
      <Link to={paths.upload} className="link inline-flex min-h-11 items-center gap-2">
        <ArrowLeft aria-hidden className="size-4.5" />
        My Uploads
      </Link>
      {frames.length === 0 ? (
        <EmptyState icon={<Wifi aria-hidden className="size-7" />} title="You don’t have a frame to connect yet">
          <p>Once you have a frame, you can connect it here.</p>
          <LinkButton to={paths.chooseProduct} className="mt-5">
            Choose a frame
          </LinkButton>
        </EmptyState>
      ) : (
        <>
          <h1 className="title-2 mt-4">{frames.length === 1 ? 'Connect your frame' : 'Connect your frames'}</h1>
          <p className="lede mt-3">
            We send your videos to your frame over Wi-Fi. Turn the frame on and send us the code on its screen.
          </p>
          <ul className="mt-8 space-y-6">
            {frames.map((frame) => (
              <li key={frame.deviceId}>
                <ConnectionCard frame={frame} name={labels.get(frame.deviceId)} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

export const ConnectSkeleton = () => (
  <section className="wrap max-w-3xl py-8 sm:py-12">
    <Skeleton className="h-11 w-72" />
    <Skeleton className="mt-8 h-80 rounded-xl" />
  </section>
);
