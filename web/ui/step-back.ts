import { useLayoutEffect, useRef } from 'react';

/** What lies over the page, lowest first; `leave` closes it, or asks first, and resolves when that is decided. */
interface Layer {
  leave: () => Promise<void>;
}

/** Which page's layers a step of the history belongs to, and how many of them are open there. */
interface Step {
  page: number;
  depth: number;
}

const layers: Layer[] = [];
/** Where the browser stands, unless no layer was ever opened there. */
let here: Step | undefined;
/** The address here: on its way back the browser has forgotten it. */
let address = '';
/** What was to be written while we were on our own way back, which would have thrown it away. */
let waiting: (() => void)[] | undefined;
let isUndecided = false;

/** The browser's own, past the router: a layer is no address, and nothing is loaded for it. */
const write = (by: 'pushState' | 'replaceState', state: unknown, path?: string | URL | null) =>
  History.prototype[by].call(history, state, '', path);
const stepIn = (state: unknown) => (state as { step?: Step } | null)?.step;

/** So long a layer takes to close once that is decided. */
const closingMs = 100;
/** A way back that leads nowhere is over then. */
const longestMs = 1000;

/**
 * What lies over the page has a step of its own in the browser's history: Back closes it as its X does, and the page stays.
 * Closed in another way, it takes its step with it.
 */
export function useStepBack(isOpen: boolean, leave: () => Promise<void>): void {
  const latest = useRef(leave);
  useLayoutEffect(() => {
    latest.current = leave;
  });
  useLayoutEffect(() => {
    if (!isOpen) return;
    const layer = { leave: () => latest.current() };
    layers.push(layer);
    queueMicrotask(settle); // before it is seen
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      // Another may follow, or a link in it have led elsewhere: looked at once all of that has happened.
      setTimeout(settle);
    };
  }, [isOpen]);
}

/** Before the router, which is not to know of these steps. */
export function startSteps(): void {
  here = stepIn(history.state);
  address = location.href;
  addEventListener('popstate', comeTo);
  const onceThere = (change: () => void) => {
    const now = () => {
      change();
      address = location.href;
    };
    if (waiting) waiting.push(now);
    else now();
  };
  history.pushState = (state, _, path) =>
    onceThere(() => {
      // What a layer leads to takes its step: going back from there, it is closed.
      write(here && here.depth > 0 ? 'replaceState' : 'pushState', state, path);
      here = undefined;
    });
  history.replaceState = (state, _, path) =>
    onceThere(() => write('replaceState', here ? { ...state, step: here } : state, path));
  // After a reload nothing is open any more: what it had for steps is left.
  settle();
}

/** Goes back from this address, and with it from what lies over it. */
export function goBackFromHere(): void {
  if (waiting) waiting.push(() => history.back());
  else history.go(-1 - (here?.depth ?? 0));
}

/**
 * The browser has gone a step, and somebody is asked whether it may: until it is taken back, or stands, nobody goes another.
 * `ask` answers whether it is taken back.
 */
export async function whileUndecided(ask: () => Promise<boolean>): Promise<boolean> {
  isUndecided = true;
  const isTakenBack = await ask();
  // What takes it back is a step as well, and tells.
  isUndecided = isTakenBack;
  return isTakenBack;
}

/** As many steps as there are layers. */
function settle(): void {
  if (waiting || isUndecided) return;
  const depth = here?.depth ?? 0;
  if (layers.length < depth) goBack(depth - layers.length);
  else if (layers.length > depth) goOn();
}

function goOn(): void {
  const { page, depth } = here ?? { page: Math.random(), depth: 0 };
  if (!here) write('replaceState', { ...history.state, step: { page, depth } });
  for (let next = depth + 1; next <= layers.length; next++) {
    here = { page, depth: next };
    write('pushState', { ...history.state, step: here });
  }
}

function goBack(steps: number): void {
  const tooLong = setTimeout(arrive, longestMs);
  waiting = [() => clearTimeout(tooLong)];
  history.go(-steps);
}

function arrive(): void {
  const held = waiting ?? [];
  waiting = undefined;
  carryAddress();
  for (const it of held) it();
  settle();
}

/** What was changed of the address under a layer, as a list's columns are, holds without it as well. */
function carryAddress(): void {
  if (location.href !== address) write('replaceState', history.state, address);
}

function comeTo(event: PopStateEvent): void {
  const before = here;
  here = stepIn(event.state);
  if (waiting) {
    event.stopImmediatePropagation();
    arrive();
  } else if (before && here?.page === before.page) {
    event.stopImmediatePropagation();
    carryAddress();
    const left = here.depth < layers.length ? layers.at(-1) : undefined;
    // Whoever keeps it open has its step again. Forward leads to none that is open.
    if (left) void left.leave().finally(() => setTimeout(settle, closingMs));
    else settle();
  } else {
    address = location.href;
    const wasUndecided = isUndecided;
    isUndecided = false;
    // What is open goes with its page, which the router leaves in a moment.
    if (wasUndecided || layers.length < (here?.depth ?? 0)) setTimeout(settle);
  }
}
