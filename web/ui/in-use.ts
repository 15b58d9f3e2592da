const controls = 'input, select, textarea, button, a, summary';

/** A button that is pressed may be switched off and lose the focus, or give it to a field: it is still what was used. */
let pressed: Element | null = null;
if (typeof document !== 'undefined') {
  const note = ({ target }: Event) => {
    if (target instanceof Element) pressed = target.closest(controls);
  };
  document.addEventListener('pointerdown', note, true);
}

const headerHeight = 72;

/** The fields and buttons that are in use. */
export const controlsInUse = (): Element[] =>
  [pressed, document.activeElement].filter((it) => it !== null).filter((it) => it.isConnected && it.matches(controls));

/** Those of the page, which somebody may want next. */
const controlsAtHand = (): Element[] =>
  [...document.querySelectorAll(`main :is(${controls})`)].filter((it) => it.checkVisibility());

/**
 * Where something so large, at the window’s right, covers no field or button that is in use, in what the keyboard of a phone leaves of the window:
 * its distance from the top of the window, or undefined for the window's foot, which it has where it can. Where the foot
 * is full of others, as of a bar, it lies above them or at the head instead, if nothing is covered there.
 */
export function freePlace({ width, height }: { width: number; height: number }): number | undefined {
  const taken = controlsInUse().map((it) => it.getBoundingClientRect());
  const head = window.visualViewport?.offsetTop ?? 0;
  const foot = head + (window.visualViewport?.height ?? window.innerHeight);
  const left = document.documentElement.clientWidth - width;
  const covers = (top: number) => (it: DOMRect) => it.bottom > top && it.top < top + height;
  const isFree = (top: number, of = taken) => top >= head && top + height <= foot && !of.some(covers(top));
  const places = [foot - height, head + headerHeight, head, ...taken.flatMap((it) => [it.bottom, it.top - height])];
  const others = controlsAtHand().map((it) => it.getBoundingClientRect());
  const atHand = [...taken, ...others.filter((it) => it.right > left)];
  const atFoot = atHand.filter(covers(foot - height)).map((it) => it.top - height);
  const free =
    [foot - height, Math.min(...atFoot), head + headerHeight].find((it) => isFree(it, atHand)) ??
    places.find((it) => isFree(it)) ??
    foot - height;
  return free + height >= Math.floor(window.innerHeight) ? undefined : free;
}
