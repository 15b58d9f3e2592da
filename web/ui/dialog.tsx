import { X } from 'lucide-react';
import * as RadixDialog from 'radix-ui/dialog';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { joinClassNames } from './classes.ts';
import { DialogCloserContext } from './dialog-closing.ts';
import { restoreFocus, type FocusPosition, readFocusPosition, storeOpenerPosition } from './focus-position.ts';
import { escapesForDialog } from './toast.ts';

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** Shows the title to screen readers only. */
  hideTitle?: boolean;
  size?: 'small' | 'regular' | 'wide';
  children?: ReactNode;
  /** Right-aligned buttons. */
  footer?: ReactNode;
  /**
   * Called when the dialog closes. Moves the focus and returns true. If it returns false, the focus returns to the
   * element that opened the dialog.
   */
  moveFocus?: () => boolean;
}

const widths = { small: 'max-w-md', regular: 'max-w-xl', wide: 'max-w-5xl' };

/**
 * A modal dialog. It traps the focus, closes on Escape and on a click outside, stops the page behind from scrolling,
 * and returns the focus when it closes.
 */
export function Dialog(props: Props) {
  const { open, onOpenChange, title, description, hideTitle = false, size = 'regular', children, footer } = props;
  const opener = useRef<FocusPosition>(undefined);
  const content = useRef<HTMLDivElement>(null);
  const closeChecks = useRef(new Set<() => Promise<boolean>>());
  const close = async () => {
    // Copy the set, so that each function runs once: a render during the loop removes a function and adds it again.
    for (const mayClose of new Set(closeChecks.current)) if (!(await mayClose())) return;
    onOpenChange(false);
  };
  const changeOpen = (opens: boolean) => {
    if (opens) onOpenChange(true);
    else void close();
  };
  const dialogCloser = {
    ask: () => void close(),
    askFirst: (mayClose: () => Promise<boolean>) => {
      closeChecks.current.add(mayClose);
      return () => void closeChecks.current.delete(mayClose);
    },
  };
  return (
    <RadixDialog.Root open={open} onOpenChange={changeOpen}>
      <RadixDialog.Portal>
        {/* The transparent border is the space of a notification. The dialog scrolls above it. */}
        <RadixDialog.Overlay className="fixed inset-0 z-50 grid animate-fade grid-cols-[minmax(0,1fr)] place-items-center overflow-y-auto border-b-[length:var(--notification-space,0px)] border-transparent bg-night/70 p-4 sm:p-8">
          <RadixDialog.Content
            ref={content}
            {...(!description && { 'aria-describedby': undefined })}
            onOpenAutoFocus={({ currentTarget }) => {
              opener.current = readFocusPosition();
              storeOpenerPosition(currentTarget as Element, opener.current);
            }}
            // Radix sends Escape to the topmost layer, which can be a notification. If the focus is in the dialog, the
            // notification ignores Escape, and the dialog closes here.
            onEscapeKeyDown={(event) => {
              // A dialog above this one has the focus, but Radix has not moved its listener to that dialog yet.
              const focused = (event.target as Element | null)?.closest('[role="dialog"]');
              if (!focused || focused === content.current) return;
              event.preventDefault();
              escapesForDialog.add(event);
            }}
            onKeyDown={(event) => {
              if (!escapesForDialog.has(event.nativeEvent)) return;
              event.stopPropagation(); // close only the innermost dialog
              changeOpen(false);
            }}
            // Radix returns the focus only to its trigger component. Here any element can open a dialog.
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              if (!props.moveFocus?.()) restoreFocus(opener.current);
            }}
            className={joinClassNames(
              'relative w-full animate-rise rounded-xl bg-card p-6 shadow-lifted sm:p-8',
              widths[size],
            )}
          >
            <RadixDialog.Title className={hideTitle ? 'sr-only' : 'title-3 pr-12 wrap-anywhere'}>
              {title}
            </RadixDialog.Title>
            {description && (
              <RadixDialog.Description className="mt-2 text-muted">{description}</RadixDialog.Description>
            )}
            <DialogCloserContext value={dialogCloser}>{children}</DialogCloserContext>
            {footer && <div className="mt-8 flex flex-wrap justify-end gap-3">{footer}</div>}
            <RadixDialog.Close
              aria-label="Close"
              className="absolute top-4 right-4 grid size-11 place-items-center rounded-full bg-linen transition-colors hover:bg-clay focus-visible:rounded-full"
            >
              <X aria-hidden className="size-5" />
            </RadixDialog.Close>
          </RadixDialog.Content>
        </RadixDialog.Overlay>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface ConfirmProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  busyLabel?: string;
  destructive?: boolean;
  /** Disables the confirm button. */
  isBlocked?: boolean;
  /** Rendered below the description. */
  children?: ReactNode;
  /** The dialog closes when this promise resolves, and stays open when it rejects. `onConfirm` must show the error. */
  onConfirm: () => void | Promise<unknown>;
}

/** Asks for confirmation before an action. */
export function ConfirmDialog(props: ConfirmProps) {
  const { open, onOpenChange, title, description, confirmLabel, cancelLabel = 'Cancel', destructive = false } = props;
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await props.onConfirm();
      onOpenChange(false);
    } catch {
      // onConfirm has shown the error. The dialog stays open, so that the user can try again.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !busy && onOpenChange(next)}
      title={title}
      description={description}
      size="small"
      footer={
        <>
          <Button look="secondary" disabled={busy} onClick={() => onOpenChange(false)}>
            {cancelLabel}
          </Button>
          <Button
            look={destructive ? 'destructive' : 'primary'}
            busy={busy}
            busyLabel={props.busyLabel}
            disabled={props.isBlocked}
            onClick={() => void confirm()}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}
