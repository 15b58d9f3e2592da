import { MonitorPlay } from 'lucide-react';
import { useState } from 'react';
import { dayWords } from '#contract/calendar.ts';
import type { Delivery } from '#contract/delivery.ts';
import { send } from '../data/api.ts';
import { errorWords } from '../data/error-words.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.ts';
import { useDeliveryChange } from './delivery-query.ts';
import { LinkToTake } from '../ui/link-to-take.tsx';

/** Any screen is a frame: the one link that plays these videos full screen. */
export function PlayAnywhere({ delivery: { player }, token }: { delivery: Delivery; token: string }) {
  const { change, refresh } = useDeliveryChange(token);
  const [link, setLink] = useState<{ url: string }>();
  const [isBusy, setIsBusy] = useState(false);
  const [isEnding, setIsEnding] = useState(false);
  const make = async () => {
    setIsBusy(true);
    try {
      setLink(await send('POST /api/delivery/:token/player', { params: { token } }));
      await refresh();
    } catch (error) {
      toast({ title: 'No link made', description: errorWords(error), destructive: true });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <aside aria-label="Play on any screen" className="rounded-xl bg-night-soft p-6">
      <h2 className="title-3">Any screen is a frame</h2>
      <p className="mt-2 text-sand">
        An old tablet, a television with a browser, a spare phone: open one link there and it plays your videos in turn,
        full screen, without Wi-Fi once it has them.
      </p>
      <Button look="on-night" wide className="mt-4" busy={isBusy} busyWords="Making..." onClick={() => void make()}>
        <MonitorPlay aria-hidden className="size-5" />
        {player ? 'Make a new player link' : 'Make the player link'}
      </Button>
      {player && (
        <p className="mt-3 text-[0.9375rem] text-sand">
          One link is open since {dayWords(player.createdAt)}. A new one ends it.{' '}
          <button
            type="button"
            onClick={() => setIsEnding(true)}
            className="min-h-11 font-semibold text-paper underline underline-offset-4 hover:text-clay"
          >
            Stop the player
          </button>
        </p>
      )}
      {link && (
        <Dialog
          open
          onOpenChange={() => setLink(undefined)}
          size="small"
          title="Open this on the screen"
          description="Type the link into its browser or point its camera at the code. We show it this once."
        >
          <LinkToTake url={link.url} what="the player’s link" />
        </Dialog>
      )}
      <ConfirmDialog
        open={isEnding}
        onOpenChange={setIsEnding}
        title="Stop the player?"
        description="The screen that plays with this link stops and forgets the videos, as soon as it is online."
        confirmWords="Stop it"
        destructive
        onConfirm={async () => {
          try {
            await send('DELETE /api/delivery/:token/player', { params: { token } });
            change((it) => ({ ...it, player: null }));
          } catch (error) {
            toast({ title: 'Player not stopped', description: errorWords(error), destructive: true });
            throw error;
          }
        }}
      />
    </aside>
  );
}
