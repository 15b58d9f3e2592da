import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check, ChevronRight, Image } from 'lucide-react';
import { useEffect, useState } from 'react';
import { paths } from '../../paths.ts';
import { joinClassNames } from '../../ui/classes.ts';
import { Badge, Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { rememberFrame } from '../chosen-frame.ts';
import { useGoTo } from '../customer.ts';
import { LoadProblem } from '../load-problem.tsx';
import { type FrameInfo, framesQuery, findNextPageOfSelection } from '../next-page.ts';

const redirectMs = 1000;

/** /select-frame: choose the frame for the photos. Redirects at once if there is nothing to choose. */
export function SelectFramePage() {
  const { data, error, refetch } = useQuery(framesQuery());
  const goTo = useGoTo();
  const nextPath = data && findNextPageOfSelection(data.frameInfo);
  useEffect(() => {
    if (nextPath !== undefined) goTo(nextPath, { replace: true });
    // oxlint-disable-next-line react/exhaustive-deps -- goTo navigates with the router, which never changes
  }, [nextPath]);

  if (error) return <LoadProblem title="Unable to load frame info" error={error} onRetry={() => void refetch()} />;
  if (!data || nextPath !== undefined) return <SelectFrameSkeleton />;
  return <Choice info={data.frameInfo} />;
}

function Choice({ info }: { info: FrameInfo }) {
  const [chosenId, setChosenId] = useState<string>();
  const navigate = useNavigate();
  useEffect(() => {
    if (chosenId === undefined) return;
    const openSelectedFrame = async () => {
      try {
        await navigate({ to: paths.upload, search: { frameId: chosenId } });
      } catch {
        toast({
          title: 'Selection Error',
          description: 'Unable to select frame. Please try again.',
          destructive: true,
        });
        setChosenId(undefined);
      }
    };
    const timer = setTimeout(() => void openSelectedFrame(), redirectMs);
    return () => clearTimeout(timer);
  }, [chosenId, navigate]);

  const orderNumbersById = new Map(info.orders.map((it) => [it.id, it.orderNumber]));
  const chosenFrame = info.frames.find((it) => it.id === chosenId);
  return (
    <section className="wrap max-w-3xl py-10 sm:py-16">
      <h1 className="title-2">Which frame are these photos for?</h1>
      <p className="lede mt-3">You have {info.deviceCount} frames. You can switch between them at any time.</p>
      <ul className="mt-8 grid gap-4">
        {info.frames.map((frame) => {
          const isChosen = frame.id === chosenId;
          return (
            <li key={frame.id}>
              <button
                type="button"
                aria-pressed={isChosen}
                disabled={chosenId !== undefined && !isChosen}
                onClick={() => {
                  rememberFrame(frame.id);
                  setChosenId(frame.id);
                }}
                className={joinClassNames(
                  'flex w-full items-center gap-4 rounded-xl border bg-card p-5 text-left shadow-soft transition-colors sm:p-6',
                  isChosen ? 'border-accent' : 'border-hair hover:border-accent disabled:opacity-55',
                )}
              >
                <span className="grid size-14 shrink-0 place-items-center rounded-lg bg-linen text-accent-deep">
                  <Image aria-hidden className="size-7" />
                </span>
                <span className="min-w-0 flex-1">
                  <span className="title-3 block">{frame.name}</span>
                  <span className="block text-[0.9375rem] text-muted">
                    Order <span className="whitespace-nowrap">{orderNumbersById.get(frame.purchaseOrderId)}</span>
                    {frame.serialNumber && ` · Serial ${frame.serialNumber}`}
                  </span>
                </span>
                {frame.status === 'active' && <Badge tone="good">Active</Badge>}
                {isChosen ? (
                  <Check aria-hidden className="size-6 shrink-0 text-accent" />
                ) : (
                  <ChevronRight aria-hidden className="size-6 shrink-0 text-muted" />
                )}
              </button>
            </li>
          );
        })}
      </ul>
      <p role="status" className="mt-6 min-h-7 font-medium text-accent-deep">
        {chosenFrame && `Opening ${chosenFrame.name}...`}
      </p>
    </section>
  );
}

export function SelectFrameSkeleton() {
  return (
    <section aria-busy className="wrap max-w-3xl py-10 sm:py-16">
      <h1 className="sr-only">Your frames</h1>
      <Skeleton className="h-12 w-4/5" />
      <Skeleton className="mt-4 h-7 w-3/5" />
      <div className="mt-8 grid gap-4">
        <Skeleton className="h-24 rounded-xl sm:h-26" />
        <Skeleton className="h-24 rounded-xl sm:h-26" />
      </div>
    </section>
  );
}
