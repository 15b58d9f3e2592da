import { Download, FolderDown } from 'lucide-react';
import { useState } from 'react';
import type { Account } from '#contract/account.ts';
import type { ErasureReceipt } from '#contract/erasure.ts';
import { lifetimes } from '#contract/limits.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { TitledCard } from '../titled-card.tsx';
import { useReauthentication } from './reauthentication.tsx';

/** Lets the customer download all data about them, or delete their account. */
export function PersonalDataSection(
  props: Pick<Account, 'unfinished'> & { onDeleted: (receipt: ErasureReceipt) => void },
) {
  const { unfinished, onDeleted } = props;
  const { withProof, dialog } = useReauthentication();
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const deleteAccount = async () => {
    try {
      await withProof(async () => onDeleted(await send('POST /api/account/delete')));
    } catch (error) {
      toast({ title: 'Account not deleted', description: errorText(error), destructive: true });
      throw error;
    }
  };
  return (
    <TitledCard icon={FolderDown} title="Your data">
      <p className="text-muted">
        Download one file with your orders, your original photos, your videos, your returns and your messages to us. A
        large collection takes a while.
      </p>
      <a
        href="/api/account/my-data.zip"
        download
        className="mt-4 inline-flex min-h-12 items-center gap-2 rounded-full border border-edge bg-card px-6 font-semibold transition-colors hover:border-ink hover:bg-linen"
      >
        <Download aria-hidden className="size-5" />
        Download my data
      </a>
      <h3 className="mt-8 font-semibold">Delete your account</h3>
      <p className="mt-1 text-muted">
        We’ll delete your photos, your videos and your details. The law requires us to keep sales records for{' '}
        {lifetimes.keptYears} years: what was bought, when, for how much and where it was taxed, without your name.
      </p>
      <Button look="secondary" className="mt-4 text-bad" onClick={() => setIsDialogOpen(true)}>
        Delete my account
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onOpenChange={setIsDialogOpen}
        title="Delete your account?"
        description={
          <>
            {unfinished.length > 0 && (
              <span className="mb-3 block rounded-lg bg-warn-soft p-4 text-ink">
                <span className="block font-semibold">You paid for something we haven’t finished yet:</span>
                {unfinished.map(({ orderNumber, words }) => (
                  <span key={orderNumber} className="mt-1 block">
                    {orderNumber}: {words.join(' ')}
                  </span>
                ))}
                <span className="mt-2 block">
                  If you delete your account, you’ll lose this, because we won’t have your email or shipping address
                  anymore. If you’d like a refund, please write to us first.
                </span>
              </span>
            )}
            We’ll delete all your photos and videos and sign you out everywhere. You can’t undo this. Would you like to
            download your data first?
          </>
        }
        confirmLabel="Delete my account"
        cancelLabel="Keep my account"
        busyLabel="Deleting..."
        destructive
        onConfirm={deleteAccount}
      />
      {dialog}
    </TitledCard>
  );
}
