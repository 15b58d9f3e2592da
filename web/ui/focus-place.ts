import { useLayoutEffect, useRef } from 'react';
import { takeLostFocus } from './lost-focus.ts';

/** Where the focus was, for when what had it is gone. */
export interface FocusPlace {
  /** What had the focus, and all that it stands in: for a dialog, that is also what it was opened from. */
  around: HTMLElement[];
  /** The list it stands in, as far as it is in one, and its place there. */
  place: { item: Element; list: Element; index: number } | undefined;
}
const openedFrom = new WeakMap<Element, FocusPlace>();

export const noteOpener = (dialog: Element, opener: FocusPlace): void => void openedFrom.set(dialog, opener);

/** Where the focus is now. */
export function focusPlace(): FocusPlace {
  const around = withAllAround(document.activeElement);
  const item = around.find((it) => it.matches('li'));
  const list = item?.parentElement;
  return { around, place: item && list ? { item, list, index: [...list.children].indexOf(item) } : undefined };
}
function withAllAround(element: Element | null): HTMLElement[] {
  if (!(element instanceof HTMLElement)) return [];
  return [element, ...(openedFrom.get(element)?.around ?? withAllAround(element.parentElement))];
}

/**
 * What had the focus may be gone with what it did: then the same button of its neighbour in the list has the focus, or
 * the nearest heading that takes it, or the dialog around, or the page; unless something has it already.
 */
export function focusAgain({ around, place }: FocusPlace = { around: [], place: undefined }): void {
  const [element] = around;
  if (element?.isConnected) return element.focus();
  const here = around.filter((it) => it.isConnected);
  const [nearest] = here.flatMap((it) => (it.matches(places) ? it : (it.querySelector<HTMLElement>(places) ?? [])));
  takeLostFocus(sameOfNeighbour(element, place) ?? nearest ?? document.getElementById('content'));
}
const places = ':is(h1, h2, h3, main, [role="dialog"])[tabindex="-1"]';

/** Of the item that has taken a gone one's place in its list, or else of the one before it: its Delete for a Delete. */
function sameOfNeighbour(element: HTMLElement | undefined, place: FocusPlace['place']): HTMLElement | undefined {
  if (!element || !place?.list.isConnected || place.item.isConnected) return;
  const items = [...place.list.children];
  return [...items.slice(place.index), ...items.slice(0, place.index).toReversed()]
    .flatMap((item) => [...item.querySelectorAll<HTMLElement>('button')])
    .find((it) => verbOf(it) === verbOf(element));
}
const verbOf = (button: HTMLElement) => (button.ariaLabel ?? button.textContent).trim().split(' ')[0];

/** For an item of a list that goes away with a button of its own: call this as the button is pressed. */
export function useFocusAfterwards(): () => void {
  const pressed = useRef<FocusPlace>(undefined);
  useLayoutEffect(
    () => () => {
      const place = pressed.current;
      if (place) queueMicrotask(() => focusAgain(place)); // once the list stands without it
    },
    [],
  );
  return () => {
    pressed.current = focusPlace();
  };
}
