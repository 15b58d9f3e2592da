import { Trash2 } from 'lucide-react';
import { lazy, useEffect, useState } from 'react';
import { send } from '../data/api.ts';
import { errorText, isRefusal } from '../data/error-text.ts';
import { Button } from '../ui/button.tsx';
import { LazyBoundary, MissingPart } from '../ui/lazy-boundary.tsx';
import { expectToasts, toast } from '../ui/toast.ts';

// Load the dialog when it opens, so that the scripts of /try stay small.
const loadDialog = () => import('../ui/dialog.tsx');
const ConfirmDialog = lazy(() => loadDialog().then((it) => ({ default: it.ConfirmDialog })));

/** The button with which the visitor deletes the photo and its video, in every state of a trial. */
export function DeleteTrial({ onDeleted }: { onDeleted: () => void }) {
  useEffect(expectToasts, []);
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const openDialog = () => {
    setWasOpened(true);
    setIsOpen(true);
  };
  const deleteTrial = async () => {
    try {
      await send('DELETE /api/trial');
    } catch (error) {
      // It is already deleted, for example in another tab.
      if (!isRefusal(error, 'not-found')) {
        toast({ title: 'Not deleted', description: errorText(error), destructive: true });
        throw error;
      }
    }
    onDeleted();
  };
  return (
    <>
      <Button look="quiet" onPointerEnter={() => void loadDialog().catch(() => {})} onClick={openDialog}>
        <Trash2 aria-hidden className="size-5" />
        Delete it now
      </Button>
      {wasOpened && (
        <LazyBoundary instead={<MissingPart />}>
          <ConfirmDialog
            open={isOpen}
            onOpenChange={setIsOpen}
            title="Delete your photo?"
            description="We’ll delete the photo and its video now. Any links you sent stop working. If the photo is already on a frame, it stays there."
            confirmLabel="Delete"
            busyLabel="Deleting..."
            destructive
            onConfirm={deleteTrial}
          />
        </LazyBoundary>
      )}
    </>
  );
}
