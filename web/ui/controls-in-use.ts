const controlSelector = 'input, select, textarea, button, a, summary';

/**
 * The control that was pressed last. It counts as in use even if it does not have the focus: it may be disabled, or the
 * press may have moved the focus to a field.
 */
let pressedElement: Element | null = null;
/** Whether a pointer is down. Nothing may move then: a button that moves between press and release gets no click. */
let isPointerDown = false;
if (typeof document !== 'undefined') {
  const storePressedElement = ({ target }: Event) => {
    isPointerDown = true;
    if (target instanceof Element) pressedElement = target.closest(controlSelector);
  };
  const releasePointer = () => {
    isPointerDown = false;
  };
  document.addEventListener('pointerdown', storePressedElement, true);
  document.addEventListener('pointercancel', releasePointer, true);
  document.addEventListener('pointerup', releasePointer, true);
}
export const isPointerPressed = (): boolean => isPointerDown;

const headerHeight = 72;

/** The control that was pressed last and the focused control, if they still exist. */
export const controlsInUse = (): Element[] =>
  [pressedElement, document.activeElement]
    .filter((it) => it !== null)
    .filter((it) => it.isConnected && it.matches(controlSelector));

/** All visible controls of the page, which the visitor may use next. */
const findControlsInUse = (): Element[] =>
  [...document.querySelectorAll(`main :is(${controlSelector})`)].filter((it) => it.checkVisibility());

/** The open dialogs and the bars at the bottom of the window. A notification never covers their buttons. */
export const dialogsAndBars = (): Element[] => [...document.querySelectorAll('[role=dialog], [data-bottom-bar]')];

/** The dialog that is above all others. */
export const topDialog = (): Element | undefined => [...document.querySelectorAll('[role=dialog]')].at(-1);

/**
 * What a notification must not cover: the controls of the open dialog with their labels, or the bars at the bottom of
 * the page.
 */
function keptElements(): Element[] {
  const dialog = topDialog();
  const selector = dialog ? `${controlSelector}, label` : '[data-bottom-bar]';
  const elements = (dialog ?? document).querySelectorAll(selector);
  return [...elements].filter((it) => it.checkVisibility());
}

/** Whether a box covers a control of the open dialog or a bar at the bottom of the page. */
export const coversKeptElements = ({ top, bottom, left, right }: DOMRect): boolean =>
  keptElements()
    .map((it) => it.getBoundingClientRect())
    .some((it) => it.bottom > top && it.top < bottom && it.right > left && it.left < right);

/**
 * Finds a position at the right edge of the window where a box of this size covers no control in use, no control of an
 * open dialog and no bar at the bottom of the page. Uses only the part of the window that a phone's keyboard leaves
 * visible. The bottom is preferred. If there are other controls or a dialog at the bottom, the box is placed above them
 * or at the top, but only if it covers no control there. Returns the distance from the top of the window, or undefined
 * for the bottom. `isFree` is false if every position covers a control that must not be covered.
 */
export function findFreePosition({ width, height }: { width: number; height: number }): {
  top: number | undefined;
  isFree: boolean;
} {
  const viewportTop = window.visualViewport?.offsetTop ?? 0;
  const viewportBottom = viewportTop + (window.visualViewport?.height ?? window.innerHeight);
  const leftEdge = document.documentElement.clientWidth - width;
  const areasOf = (elements: Element[]) =>
    elements.map((it) => it.getBoundingClientRect()).filter((it) => it.right > leftEdge);
  const dialog = topDialog();
  const usedAreas = controlsInUse()
    .filter((it) => !dialog || dialog.contains(it))
    .map((it) => it.getBoundingClientRect());
  const keptAreas = areasOf(keptElements());
  const takenAreas = [...usedAreas, ...keptAreas];
  const createOverlapCheck = (top: number) => (it: DOMRect) => it.bottom > top && it.top < top + height;
  const isFree = (top: number, of = takenAreas) =>
    top >= viewportTop && top + height <= viewportBottom && !of.some(createOverlapCheck(top));
  const candidateTops = [
    viewportBottom - height,
    ...(dialog ? [] : keptAreas.map((it) => it.top - height)),
    viewportTop + headerHeight,
    viewportTop,
    ...takenAreas.flatMap((it) => [it.bottom, it.top - height]),
  ];
  // A dialog covers the page, so the controls of the page do not matter then.
  const areasAtHand = [...takenAreas, ...areasOf(dialog ? [dialog] : findControlsInUse())];
  const freePositionsAtFoot = areasAtHand
    .filter(createOverlapCheck(viewportBottom - height))
    .map((it) => it.top - height);
  const freeTop =
    [
      viewportBottom - height,
      Math.min(...freePositionsAtFoot),
      viewportTop + headerHeight,
      ...(dialog ? [viewportTop] : []),
    ].find((it) => isFree(it, areasAtHand)) ?? candidateTops.find((it) => isFree(it));
  const top = freeTop ?? viewportBottom - height;
  return {
    top: top + height >= Math.floor(window.innerHeight) ? undefined : top,
    isFree: freeTop !== undefined,
  };
}
