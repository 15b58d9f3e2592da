import { X } from 'lucide-react';
import * as RadixToast from 'radix-ui/toast';
import { useLayoutEffect, useRef, useState } from 'react';
import { joinClassNames } from './classes.ts';
import { controlsInUse, findFreePosition } from './controls-in-use.ts';
import { type Toast, currentToast, escapesForDialog, toastMs } from './toast.ts';

/** The assumed height in pixels of a notification that is not rendered yet. */
const assumedHeight = 140;

/**
 * The notification area (specification 1, section 9): one notification at a time, for 5000 ms. A swipe of 50 px to the
 * right closes it, F8 focuses it. It is at the bottom of the window, or elsewhere if it would cover a control that the
 * visitor is using.
 */
export default function ToastView({ toast }: { toast: Toast | undefined }) {
  const toastAreaRef = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState<number>();
  useLayoutEffect(() => {
    if (!toast) return;
    let uncoveredControls: Element[] = [];
    const positionToast = ({ target }: Partial<Event> = {}) => {
      // Do not move the notification while it has the focus itself.
      if (toastAreaRef.current && !toastAreaRef.current.contains(target as Node | null)) {
        uncoveredControls = controlsInUse();
        const { offsetWidth: width, offsetHeight } = toastAreaRef.current;
        setTop(findFreePosition({ width, height: Math.max(offsetHeight, assumedHeight) }));
      }
    };
    const repositionToast = () => positionToast();
    positionToast();
    // The notification does not cover the controls in `uncoveredControls`. When one of them is removed from the page,
    // choose the position again: no focus event reports the removal.
    const domObserver = new MutationObserver(() => {
      if (uncoveredControls.some((it) => !it.isConnected)) positionToast();
    });
    domObserver.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', positionToast);
    // A phone's keyboard opens after the focus event and resizes only the visual viewport.
    window.visualViewport?.addEventListener('resize', repositionToast);
    window.visualViewport?.addEventListener('scroll', repositionToast);
    return () => {
      domObserver.disconnect();
      document.removeEventListener('focusin', positionToast);
      window.visualViewport?.removeEventListener('resize', repositionToast);
      window.visualViewport?.removeEventListener('scroll', repositionToast);
    };
  }, [toast]);
  return (
    <RadixToast.Provider duration={toastMs} swipeDirection="right" swipeThreshold={50} label="Notification">
      {toast && <ShownToast key={toast.id} toast={toast} />}
      <RadixToast.Viewport
        ref={toastAreaRef}
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
        escapesForDialog.add(event);
      }}
      // Remove the toast only after its exit animation.
      {...(!open && { onAnimationEnd: () => currentToast.close(toast.id) })}
      className={joinClassNames(
        'relative rounded-lg border p-4 pr-14 shadow-lifted',
        'data-[state=open]:animate-slide-in data-[state=closed]:animate-slide-out',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
        toast.destructive ? 'border-bad bg-bad text-white' : 'border-hair bg-card text-ink',
      )}
    >
      <RadixToast.Title className="font-semibold">{toast.title}</RadixToast.Title>
      {toast.description && (
        <RadixToast.Description
          className={joinClassNames('mt-0.5 text-[0.9375rem]', !toast.destructive && 'text-muted')}
        >
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
