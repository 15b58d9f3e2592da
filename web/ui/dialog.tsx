import { X } from 'lucide-react';
import * as RadixDialog from 'radix-ui/dialog';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { DialogClosing } from './dialog-closing.ts';
import { takeLostFocus } from './lost-focus.ts';
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
  const opener = useRef<Opener>(undefined);
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
              opener.current = openerOf(document.activeElement);
              openedFrom.set(currentTarget as Element, opener.current);
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

interface Opener {
  /** What had the focus, and all that it stands in: for a dialog, that is also what it was opened from. */
  around: HTMLElement[];
  /** The list it stands in, as far as it is in one, and its place there. */
  place: { item: Element; list: Element; index: number } | undefined;
}
const openedFrom = new WeakMap<Element, Opener>();

function openerOf(element: Element | null): Opener {
  const around = withAllAround(element);
  const item = around.find((it) => it.matches('li'));
  const list = item?.parentElement;
  return { around, place: item && list ? { item, list, index: [...list.children].indexOf(item) } : undefined };
}
function withAllAround(element: Element | null): HTMLElement[] {
  if (!(element instanceof HTMLElement)) return [];
  return [element, ...(openedFrom.get(element)?.around ?? withAllAround(element.parentElement))];
}

/**
 * What a dialog was opened from may be gone with what it did: then the same button of its neighbour in the list has the
 * focus, or the nearest heading that takes it, or the dialog around, or the page; unless something has it already.
 */
function focusAgain({ around, place }: Opener = { around: [], place: undefined }): void {
  const [element] = around;
  if (element?.isConnected) return element.focus();
  const here = around.filter((it) => it.isConnected);
  const [nearest] = here.flatMap((it) => (it.matches(places) ? it : (it.querySelector<HTMLElement>(places) ?? [])));
  takeLostFocus(sameOfNeighbour(element, place) ?? nearest ?? document.getElementById('content'));
}
const places = ':is(h1, h2, h3, main, [role="dialog"])[tabindex="-1"]';

/** Of the item that has taken a gone one's place in its list, or else of the one before it: its Delete for a Delete. */
function sameOfNeighbour(element: HTMLElement | undefined, place: Opener['place']): HTMLElement | undefined {
  if (!element || !place?.list.isConnected || place.item.isConnected) return;
  const items = [...place.list.children];
  return [...items.slice(place.index), ...items.slice(0, place.index).toReversed()]
    .flatMap((item) => [...item.querySelectorAll<HTMLElement>('button')])
    .find((it) => verbOf(it) === verbOf(element));
}
const verbOf = (button: HTMLElement) => (button.ariaLabel ?? button.textContent).trim().split(' ')[0];

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
