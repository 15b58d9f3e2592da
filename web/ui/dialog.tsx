import { X } from 'lucide-react';
import * as RadixDialog from 'radix-ui/dialog';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { DialogClosing } from './dialog-closing.ts';
import { focusAgain, type FocusPlace, focusPlace, noteOpener } from './focus-place.ts';
import { leftToDialog } from './toast.ts';

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** The title stays for screen readers only. */
  hideTitle?: boolean;
  size?: 'small' | 'regular' | 'wide';
  children?: ReactNode;
  /** Buttons, right-aligned. */
  footer?: ReactNode;
}

const widths = { small: 'max-w-md', regular: 'max-w-xl', wide: 'max-w-5xl' };

/** Focus is trapped, Escape and the backdrop close, the page behind stands still, focus returns where it was. */
export function Dialog(props: Props) {
  const { open, onOpenChange, title, description, hideTitle = false, size = 'regular', children, footer } = props;
  const opener = useRef<FocusPlace>(undefined);
  const questions = useRef(new Set<() => Promise<boolean>>());
  const close = async () => {
    // Each once: what is drawn anew meanwhile asks to be asked anew.
    for (const mayClose of new Set(questions.current)) if (!(await mayClose())) return;
    onOpenChange(false);
  };
  const change = (opens: boolean) => {
    if (opens) onOpenChange(true);
    else void close();
  };
  const closing = {
    ask: () => void close(),
    askFirst: (mayClose: () => Promise<boolean>) => {
      questions.current.add(mayClose);
      return () => void questions.current.delete(mayClose);
    },
  };
  return (
    <RadixDialog.Root open={open} onOpenChange={change}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-50 grid animate-fade grid-cols-[minmax(0,1fr)] place-items-center overflow-y-auto bg-night/70 p-4 sm:p-8">
          <RadixDialog.Content
            {...(!description && { 'aria-describedby': undefined })}
            onOpenAutoFocus={({ currentTarget }) => {
              opener.current = focusPlace();
              noteOpener(currentTarget as Element, opener.current);
            }}
            // The topmost layer gets Escape, which is a notification where there is one.
            onKeyDown={(event) => {
              if (!leftToDialog.has(event.nativeEvent)) return;
              event.stopPropagation(); // only the innermost of several
              change(false);
            }}
            // Radix only knows its own triggers; ours are anything on the page.
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              focusAgain(opener.current);
            }}
            className={classes(
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
            <DialogClosing value={closing}>{children}</DialogClosing>
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
  confirmWords: string;
  cancelWords?: string;
  busyWords?: string;
  destructive?: boolean;
  /** The dialog closes when it resolves; when it rejects, it stays and the caller has said why. */
  onConfirm: () => void | Promise<unknown>;
}

/** Ask before what cannot be undone. */
export function ConfirmDialog(props: ConfirmProps) {
  const { open, onOpenChange, title, description, confirmWords, cancelWords = 'Cancel', destructive = false } = props;
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await props.onConfirm();
      onOpenChange(false);
    } catch {
      // onConfirm reports its own failure; staying open lets the person try again.
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
            {cancelWords}
          </Button>
          <Button
            look={destructive ? 'destructive' : 'primary'}
            busy={busy}
            busyWords={props.busyWords}
            onClick={() => void confirm()}
          >
            {confirmWords}
          </Button>
        </>
      }
    />
  );
}
