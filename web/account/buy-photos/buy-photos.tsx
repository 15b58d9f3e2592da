import { ImagePlus } from 'lucide-react';
import { useState } from 'react';
import { formatDollars, includedPhotoCounts, pricesInCents } from '#contract/catalog.ts';
import type { FrameLimits } from '#contract/frames.ts';
import { limits } from '#contract/limits.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { Stepper } from '../../ui/stepper.tsx';

const perPackage = includedPhotoCounts.extraPackage;

/** Buy extra packages for a frame: a dialog with the quantity and the price. The frame may be finalized. */
export function BuyPhotos({ frame }: { frame: FrameLimits }) {
  const [isOpen, setIsOpen] = useState(false);
  const [quantity, setQuantity] = useState(1);
  const { deviceId, deviceName, uploadFinalized, remainingPhotos } = frame;
  return (
    <Card>
      <h2 className="title-3 flex items-center gap-3">
        <ImagePlus aria-hidden className="size-6 shrink-0 text-accent" />
        Have more photos?
      </h2>
      <p className="mt-2 text-muted">
        {uploadFinalized
          ? `You can add ${perPackage} more photos to ${deviceName}. Your finished photos and videos stay the same.`
          : remainingPhotos === 0
            ? `${deviceName} is full. Add ${perPackage} more photos for ${formatDollars(pricesInCents.extraPackage)}.`
            : `Add ${perPackage} more photos to ${deviceName} for ${formatDollars(pricesInCents.extraPackage)}.`}
      </p>
      <Button look="secondary" wide className="mt-5" onClick={() => setIsOpen(true)}>
        Buy More Photos
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title="Buy More Photos"
        description={`For ${deviceName}. Each package adds room for ${perPackage} more photos, and every photo becomes a video.`}
        footer={
          <>
            <Button look="secondary" className="max-sm:w-full" onClick={() => setIsOpen(false)}>
              Not now
            </Button>
            <LinkButton className="max-sm:w-full" to={paths.addonCheckout({ deviceId, deviceName, quantity })}>
              Continue to payment
            </LinkButton>
          </>
        }
      >
        <div className="mt-6 space-y-5">
          <Stepper
            name="packages"
            label={`+${perPackage} Photo Package`}
            hint={`${formatDollars(pricesInCents.extraPackage)} each`}
            value={quantity}
            least={1}
            most={limits.maxAddonPackages}
            mostWords={`Up to ${limits.maxAddonPackages} at a time.`}
            onChange={setQuantity}
          />
          <dl className="space-y-2 border-t border-hair pt-4" aria-live="polite">
            <TermValueRow term="Photos added" value={`${quantity * perPackage}`} />
            <TermValueRow term="Total" value={formatDollars(quantity * pricesInCents.extraPackage)} isStrong />
          </dl>
        </div>
      </Dialog>
    </Card>
  );
}

export function TermValueRow({ term, value, isStrong = false }: { term: string; value: string; isStrong?: boolean }) {
  return (
    <div className={`flex items-baseline justify-between gap-4 ${isStrong ? 'text-lg font-semibold' : ''}`}>
      <dt>{term}</dt>
      <dd className="tabular-nums">{value}</dd>
    </div>
  );
}
