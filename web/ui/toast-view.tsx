import { X } from 'lucide-react';
import * as RadixToast from 'radix-ui/toast';
import { useLayoutEffect, useRef, useState } from 'react';
import { joinClassNames } from './classes.ts';
import {
  controlsInUse,
  coversKeptElements,
  dialogsAndBars,
  findFreePosition,
  isPointerPressed,
  topDialog,
} from './controls-in-use.ts';
import { type Toast, currentToast, escapesForDialog, toastMs } from './toast.ts';

/** The assumed height in pixels of a notification that is not rendered yet. */
const assumedHeight = 140;

/**
 * The notification area (specification 1, section 9): one notification at a time, for 5000 ms. A swipe of 50 px to the
 * right closes it, F8 focuses it. It is at the bottom of the window, or elsewhere if it would cover a control that the
 * visitor is using, a control of an open dialog or a bar at the bottom of the page. If a dialog leaves no other space,
 * the dialog becomes smaller until it closes.
 */
export default function ToastView({ toast }: { toast: Toast | undefined }) {
  const toastAreaRef = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState<number>();
  useLayoutEffect(() => {
    if (!toast) return;
    let uncoveredControls: Element[] = [];
    let keptElements: Element[] = [];
    let isSpaceReserved = false;
    let isPositionPending = false;
    const sizeObserver = new ResizeObserver(() => repositionIfCovering());
    const positionToast = ({ target }: Partial<Event> = {}) => {
      isPositionPending = isPointerPressed();
      if (isPositionPending) return;
      // Do not move the notification while it has the focus itself.
      if (toastAreaRef.current && !toastAreaRef.current.contains(target as Node | null)) {
        uncoveredControls = controlsInUse();
        reserveSpace(0); // measure the dialog in its full size
        const { offsetWidth: width, offsetHeight } = toastAreaRef.current;
        const height = Math.max(offsetHeight, assumedHeight);
        const { top, isFree } = findFreePosition({ width, height });
        setTop(top);
        isSpaceReserved = !isFree;
        if (!isFree) reserveSpace(window.innerHeight - (top ?? window.innerHeight - height));
      }
    };
    const repositionToast = () => positionToast();
    const repositionIfCovering = () => {
      // With reserved space, the dialog ends above the notification.
      if (toastAreaRef.current && !isSpaceReserved && coversKeptElements(toastAreaRef.current.getBoundingClientRect()))
        positionToast();
    };
    // The click comes after the release of the pointer, so wait for it.
    const repositionAfterClick = () =>
      setTimeout(() => {
        if (isPositionPending) positionToast();
      });
    const observeKeptElements = () => {
      keptElements = dialogsAndBars();
      for (const element of keptElements) sizeObserver.observe(element);
    };
    positionToast();
    observeKeptElements();
    if (toastAreaRef.current) sizeObserver.observe(toastAreaRef.current);
    // The notification does not cover the controls in `uncoveredControls`. When one of them is removed from the page,
    // choose the position again: no focus event reports the removal. A dialog or a bar may also open or close.
    const domObserver = new MutationObserver(() => {
      const areKeptElementsSame = dialogsAndBars().every((it, index) => it === keptElements[index]);
      if (areKeptElementsSame && ![...uncoveredControls, ...keptElements].some((it) => !it.isConnected)) return;
      observeKeptElements();
      positionToast();
    });
    domObserver.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', positionToast);
    document.addEventListener('pointerup', repositionAfterClick);
    document.addEventListener('pointercancel', repositionAfterClick);
    document.addEventListener('scroll', repositionIfCovering, { capture: true, passive: true });
    // A phone's keyboard opens after the focus event and resizes only the visual viewport.
    window.visualViewport?.addEventListener('resize', repositionToast);
    window.visualViewport?.addEventListener('scroll', repositionToast);
    return () => {
      isPositionPending = false;
      releaseSpace();
      sizeObserver.disconnect();
      domObserver.disconnect();
      document.removeEventListener('focusin', positionToast);
      document.removeEventListener('pointerup', repositionAfterClick);
      document.removeEventListener('pointercancel', repositionAfterClick);
      document.removeEventListener('scroll', repositionIfCovering, { capture: true });
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

/**
 * Keeps this many pixels at the bottom of the window free of dialogs (web/ui/dialog.tsx). The controls in use stay
 * visible.
 */
function reserveSpace(height: number): void {
  document.documentElement.style.setProperty('--notification-space', `${height}px`);
  if (height === 0) return;
  for (const control of controlsInUse())
    if (control.closest('[role=dialog]')) control.scrollIntoView({ block: 'nearest' });
}

/**
 * Releases the reserved space when no dialog is open. An open dialog stays where it is, because its buttons would move
 * while the visitor is about to press one.
 */
function releaseSpace(): void {
  if (!topDialog()) return reserveSpace(0);
  const dialogObserver = new MutationObserver(() => {
    if (topDialog()) return;
    dialogObserver.disconnect();
    reserveSpace(0);
  });
  dialogObserver.observe(document.body, { childList: true, subtree: true });
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
