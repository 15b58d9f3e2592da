const controlSelector = 'input, select, textarea, button, a, summary';

/**
 * The control that was pressed last. It counts as in use even if it does not have the focus: it may be disabled, or the
 * press may have moved the focus to a field.
 */
let pressedElement: Element | null = null;
if (typeof document !== 'undefined') {
  const storePressedElement = ({ target }: Event) => {
    if (target instanceof Element) pressedElement = target.closest(controlSelector);
  };
  document.addEventListener('pointerdown', storePressedElement, true);
}

const headerHeight = 72;

/** The control that was pressed last and the focused control, if they still exist. */
export const controlsInUse = (): Element[] =>
  [pressedElement, document.activeElement]
    .filter((it) => it !== null)
    .filter((it) => it.isConnected && it.matches(controlSelector));

/** All visible controls of the page, which the visitor may use next. */
const findControlsInUse = (): Element[] =>
  [...document.querySelectorAll(`main :is(${controlSelector})`)].filter((it) => it.checkVisibility());

/**
 * Finds a position at the right edge of the window where a box of this size covers no control in use. Uses only the
 * part of the window that a phone's keyboard leaves visible. The bottom is preferred. If there are other controls at
 * the bottom, for example in a bar, the box is placed above them or at the top, but only if it covers no control there.
 * Returns the distance from the top of the window, or undefined for the bottom.
 */
export function findFreePosition({ width, height }: { width: number; height: number }): number | undefined {
  const takenAreas = controlsInUse().map((it) => it.getBoundingClientRect());
  const viewportTop = window.visualViewport?.offsetTop ?? 0;
  const viewportBottom = viewportTop + (window.visualViewport?.height ?? window.innerHeight);
  const leftEdge = document.documentElement.clientWidth - width;
  const createOverlapCheck = (top: number) => (it: DOMRect) => it.bottom > top && it.top < top + height;
  const isFree = (top: number, of = takenAreas) =>
    top >= viewportTop && top + height <= viewportBottom && !of.some(createOverlapCheck(top));
  const candidateTops = [
    viewportBottom - height,
    viewportTop + headerHeight,
    viewportTop,
    ...takenAreas.flatMap((it) => [it.bottom, it.top - height]),
  ];
  const otherAreas = findControlsInUse().map((it) => it.getBoundingClientRect());
  const areasAtHand = [...takenAreas, ...otherAreas.filter((it) => it.right > leftEdge)];
  const freePositionsAtFoot = areasAtHand
    .filter(createOverlapCheck(viewportBottom - height))
    .map((it) => it.top - height);
  const freeTop =
    [viewportBottom - height, Math.min(...freePositionsAtFoot), viewportTop + headerHeight].find((it) =>
      isFree(it, areasAtHand),
    ) ??
    candidateTops.find((it) => isFree(it)) ??
    viewportBottom - height;
  return freeTop + height >= Math.floor(window.innerHeight) ? undefined : freeTop;
}
