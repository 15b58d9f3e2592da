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

/**
 * Where something so tall covers no field or button that is in use, in what the keyboard of a phone leaves of the window:
 * its distance from the top of the window, or undefined for the window's foot, which it has where it can.
 */
export function freePlace(height: number): number | undefined {
  const taken = controlsInUse().map((it) => it.getBoundingClientRect());
  const head = window.visualViewport?.offsetTop ?? 0;
  const foot = head + (window.visualViewport?.height ?? window.innerHeight);
  const isFree = (top: number) =>
    top >= head && top + height <= foot && taken.every((it) => it.bottom <= top || it.top >= top + height);
  const places = [foot - height, head + headerHeight, head, ...taken.flatMap((it) => [it.bottom, it.top - height])];
  const free = places.find(isFree) ?? foot - height;
  return free + height >= Math.floor(window.innerHeight) ? undefined : free;
}
