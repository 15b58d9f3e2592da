import { X } from 'lucide-react';
import * as RadixToast from 'radix-ui/toast';
import { useLayoutEffect, useRef, useState } from 'react';
import { classes } from './classes.ts';
import { controlsInUse, freePlace } from './in-use.ts';
import { type Toast, currentToast, leftToDialog, toastMs } from './toast.ts';

/** Of a notification that is about to be drawn. */
const leastHeight = 140;

/**
 * The notification area (specification 1, section 9): one at a time, 5000 ms, swipe right 50 px, F8 focuses it. At the
 * foot of the page, or elsewhere where somebody is at a field or button there.
 */
export default function ToastView({ toast }: { toast: Toast | undefined }) {
  const area = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState<number>();
  useLayoutEffect(() => {
    if (!toast) return;
    let keptFree: Element[] = [];
    const place = ({ target }: Partial<Event> = {}) => {
      // Whoever is at the notification itself does not want it gone.
      if (area.current && !area.current.contains(target as Node | null)) {
        keptFree = controlsInUse();
        const { offsetWidth: width, offsetHeight } = area.current;
        setTop(freePlace({ width, height: Math.max(offsetHeight, leastHeight) }));
      }
    };
    const placeAgain = () => place();
    place();
    // Its place was chosen for a page; what it kept free there goes with it, and no focus tells of that.
    const watcher = new MutationObserver(() => {
      if (keptFree.some((it) => !it.isConnected)) place();
    });
    watcher.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', place);
    // A phone's keyboard comes after the focus, and takes its room from what is seen alone.
    window.visualViewport?.addEventListener('resize', placeAgain);
    window.visualViewport?.addEventListener('scroll', placeAgain);
    return () => {
      watcher.disconnect();
      document.removeEventListener('focusin', place);
      window.visualViewport?.removeEventListener('resize', placeAgain);
      window.visualViewport?.removeEventListener('scroll', placeAgain);
    };
  }, [toast]);
  return (
    <RadixToast.Provider duration={toastMs} swipeDirection="right" swipeThreshold={50} label="Notification">
      {toast && <ShownToast key={toast.id} toast={toast} />}
      <RadixToast.Viewport
        ref={area}
        hotkey={['F8']}
        className="fixed right-0 bottom-0 z-60 m-0 flex w-full max-w-md list-none flex-col gap-3 p-4 outline-none sm:p-6"
        {...(top !== undefined && { style: { top, bottom: 'auto' } })}
      />
    </RadixToast.Provider>
  );
}

function ShownToast({ toast }: { toast: Toast }) {
  const [open, setOpen] = useState(true);
  return (
    <RadixToast.Root
      type={toast.destructive ? 'foreground' : 'background'}
      open={open}
      onOpenChange={setOpen}
      onEscapeKeyDown={(event) => {
        if (!document.activeElement?.closest('[role=dialog]')) return;
        event.preventDefault();
        leftToDialog.add(event);
      }}
      // Let the way out be seen before the toast is forgotten.
      {...(!open && { onAnimationEnd: () => currentToast.close(toast.id) })}
      className={classes(
        'relative rounded-lg border p-4 pr-14 shadow-lifted',
        'data-[state=open]:animate-slide-in data-[state=closed]:animate-slide-out',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
        toast.destructive ? 'border-bad bg-bad text-white' : 'border-hair bg-card text-ink',
      )}
    >
      <RadixToast.Title className="font-semibold">{toast.title}</RadixToast.Title>
      {toast.description && (
        <RadixToast.Description className={classes('mt-0.5 text-[0.9375rem]', !toast.destructive && 'text-muted')}>
          {toast.description}
        </RadixToast.Description>
      )}
      <RadixToast.Close
        aria-label="Close notification"
        className="absolute top-2 right-2 grid size-11 place-items-center rounded-full opacity-80 hover:opacity-100"
      >
        <X aria-hidden className="size-5" />
      </RadixToast.Close>
    </RadixToast.Root>
  );
}
