import { useLayoutEffect, useRef, type RefObject } from 'react';
import { focusIfFocusLost } from './lost-focus.ts';

/** The place of the keyboard focus. It is stored, so that the focus can return if the focused element disappears. */
export interface FocusPosition {
  /** The focused element and its ancestors. A dialog is followed by the element that opened it and its ancestors. */
  around: HTMLElement[];
  /** The list item around the element, its list and its index, if the element is in a list. */
  place: { item: Element; list: Element; index: number } | undefined;
}
const openerPositions = new WeakMap<Element, FocusPosition>();

export const storeOpenerPosition = (dialog: Element, opener: FocusPosition): void =>
  void openerPositions.set(dialog, opener);

/** The current place of the focus. */
export function readFocusPosition(): FocusPosition {
  const elementsAround = listElementAndAncestors(document.activeElement);
  const item = elementsAround.find((it) => it.matches('li'));
  const list = item?.parentElement;
  return {
    around: elementsAround,
    place: item && list ? { item, list, index: [...list.children].indexOf(item) } : undefined,
  };
}
function listElementAndAncestors(element: Element | null): HTMLElement[] {
  if (!(element instanceof HTMLElement)) return [];
  return [element, ...(openerPositions.get(element)?.around ?? listElementAndAncestors(element.parentElement))];
}

/**
 * Returns the focus to its earlier place. If the focused element no longer exists, for example after a delete, focuses
 * the same button of the neighboring list item. If there is none, focuses the nearest focusable heading, dialog or main
 * content around it. Does not move the focus if another element has got it in the meantime.
 */
export function restoreFocus({ around, place }: FocusPosition = { around: [], place: undefined }): void {
  const [element] = around;
  if (element?.isConnected) return element.focus();
  const connectedElements = around.filter((it) => it.isConnected);
  const [nearest] = connectedElements.flatMap((it) =>
    it.matches(focusTargetSelector) ? it : (it.querySelector<HTMLElement>(focusTargetSelector) ?? []),
  );
  focusIfFocusLost(sameOfNeighbor(element, place) ?? nearest ?? document.getElementById('content'));
}
const focusTargetSelector = ':is(h1, h2, h3, main, [role="dialog"])[tabindex="-1"]';

/**
 * Finds the button with the same verb, such as Delete, in another item of the list: first in the item that now has the
 * index of the removed item, then in the items after it, then in the items before it.
 */
function sameOfNeighbor(element: HTMLElement | undefined, place: FocusPosition['place']): HTMLElement | undefined {
  if (!element || !place?.list.isConnected || place.item.isConnected) return;
  const items = [...place.list.children];
  return [...items.slice(place.index), ...items.slice(0, place.index).toReversed()]
    .flatMap((item) => [...item.querySelectorAll<HTMLElement>('button')])
    .find((it) => firstWordOfLabel(it) === firstWordOfLabel(element));
}
const firstWordOfLabel = (button: HTMLElement) => (button.ariaLabel ?? button.textContent).trim().split(' ')[0];

/**
 * For a list item with a button that removes the item. Returns a function to call when the button is pressed. After the
 * item is removed, the focus then moves to a neighboring item.
 */
export function useFocusAfterwards(): () => void {
  const positionAtPress = useRef<FocusPosition>(undefined);
  useLayoutEffect(
    () => () => {
      const pressedPosition = positionAtPress.current;
      if (pressedPosition) queueMicrotask(() => restoreFocus(pressedPosition)); // after the item is removed from the list
    },
    [],
  );
  return () => {
    positionAtPress.current = readFocusPosition();
  };
}

/** When the element is removed while the focus is in it, the focus moves to the nearest place around it. */
export function useFocusAfterRemoval(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const container = element.current;
    return () => {
      if (!container?.contains(document.activeElement)) return;
      const focusPosition = readFocusPosition(); // React runs this before it removes the element
      queueMicrotask(() => restoreFocus(focusPosition));
    };
  }, [element]);
}
