import { MonitorPlay } from 'lucide-react';
import { useState } from 'react';
import { dayText } from '#contract/calendar.ts';
import type { Delivery } from '#contract/delivery.ts';
import { send } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.ts';
import { useDeliveryChange } from './delivery-query.ts';
import { CopyableLink } from '../ui/copyable-link.tsx';

/** Creates and ends the link to the player, which plays these videos full screen on any device. */
export function PlayerLinkSection({ delivery: { player }, token }: { delivery: Delivery; token: string }) {
  const { change, refresh } = useDeliveryChange(token);
  const [link, setLink] = useState<{ url: string }>();
  const [isBusy, setIsBusy] = useState(false);
  const [isEnding, setIsEnding] = useState(false);
  const createLink = async () => {
    setIsBusy(true);
    try {
      setLink(await send('POST /api/delivery/:token/player', { params: { token } }));
      await refresh();
    } catch (error) {
      toast({ title: 'No link made', description: errorText(error), destructive: true });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <aside aria-label="Play on any screen" className="rounded-xl bg-night-soft p-6">
      <h2 className="title-3">Use any screen as a frame</h2>
      <p className="mt-2 text-sand">
        Open the link on an old tablet, a smart TV or a spare phone, and your videos play full screen. Once they’re
        loaded, you don’t need Wi-Fi.
      </p>
      <Button
        look="on-night"
        wide
        className="mt-4"
        busy={isBusy}
        busyLabel="Making..."
        onClick={() => void createLink()}
      >
        <MonitorPlay aria-hidden className="size-5" />
        {player ? 'Make a new player link' : 'Make a player link'}
      </Button>
      {player && (
        <p className="mt-3 text-[0.9375rem] text-sand">
          You have had a link open since {dayText(player.createdAt)}. A new link replaces it.{' '}
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
          title="Open this link on your screen"
          description="Type the link into the screen’s browser, or scan the code with its camera. We only show the link once."
        >
          <CopyableLink url={link.url} what="the player link" />
        </Dialog>
      )}
      <ConfirmDialog
        open={isEnding}
        onOpenChange={setIsEnding}
        title="Stop the player?"
        description="The screen that uses this link stops playing and removes the videos as soon as it’s online."
        confirmLabel="Stop it"
        destructive
        onConfirm={async () => {
          try {
            await send('DELETE /api/delivery/:token/player', { params: { token } });
            change((it) => ({ ...it, player: null }));
          } catch (error) {
            toast({ title: 'Player not stopped', description: errorText(error), destructive: true });
            throw error;
          }
        }}
      />
    </aside>
  );
}
