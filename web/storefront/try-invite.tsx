import { useQuery } from '@tanstack/react-query';
import { trialOfferQuery } from '../data/queries.ts';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';

/** Invites to try one photo before buying. Shows nothing if the shop does not offer it. */
export function TryInvitation({ className }: { className?: string }) {
  const { data } = useQuery(trialOfferQuery());
  if (!data?.isOffered) return null;
  return (
    <div className={className}>
      <div className="flex flex-col items-start gap-6 rounded-xl bg-accent-soft p-7 sm:p-10 md:flex-row md:items-center md:justify-between">
        <div className="max-w-2xl">
          <h2 className="title-3">Try it with your own photo</h2>
          <p className="mt-2">See one of your photos come to life before you buy. Free, no account or email needed.</p>
        </div>
        <LinkButton size="large" to={paths.try} className="shrink-0">
          Try a photo
        </LinkButton>
      </div>
    </div>
  );
}
