import { type ComponentType, lazy } from 'react';

const signs = ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'input', 'focusin'];

/** Settles once somebody is there: touches, types, or has left the focus in a field before the page was awake. */
const firstSign = import.meta.env.SSR
  ? undefined
  : new Promise<void>((resolve) => {
      const comes = () => {
        for (const it of signs) removeEventListener(it, comes, true);
        resolve();
      };
      for (const it of signs) addEventListener(it, comes, { capture: true, passive: true });
      if (document.activeElement !== document.body) comes();
    });

const onTheirWay: Promise<unknown>[] = [];
/** On the server, which writes pages whole: until all such parts are there. */
export const partsLoaded = () => Promise.all(onTheirWay);

/**
 * A part of a public page whose code comes with the first sign of a visitor, as that of a form: until then it stands there
 * as the server wrote it. It belongs in a Late.
 */
export function atFirstSign<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  if (!import.meta.env.SSR) return lazy(() => firstSign!.then(load).then((part) => ({ default: part })));
  let Part: ComponentType<P>;
  onTheirWay.push(load().then((part) => (Part = part)));
  return (props) => <Part {...props} />;
}
