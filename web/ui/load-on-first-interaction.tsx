import { type ComponentType, lazy } from 'react';

const interactionEvents = ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'input', 'focusin'];

/** Resolves at the visitor's first interaction, or at once if an element had the focus before hydration. */
const firstInteraction = import.meta.env.SSR
  ? undefined
  : new Promise<void>((resolve) => {
      const resolveFirstSign = () => {
        for (const eventName of interactionEvents) removeEventListener(eventName, resolveFirstSign, true);
        resolve();
      };
      for (const eventName of interactionEvents)
        addEventListener(eventName, resolveFirstSign, { capture: true, passive: true });
      if (document.activeElement !== document.body) resolveFirstSign();
    });

const loadingScripts: Promise<unknown>[] = [];
/**
 * On the server: resolves when the code of all `loadOnFirstInteraction` components is loaded, because it renders whole
 * pages.
 */
export const waitForLazyParts = () => Promise.all(loadingScripts);

/**
 * A component of a public page, for example a form, whose code loads at the visitor's first interaction. Until the code
 * is loaded, the server's HTML stays. Put the component in a <LazyBoundary>.
 */
export function loadOnFirstInteraction<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  if (!import.meta.env.SSR) return lazy(() => firstInteraction!.then(load).then((part) => ({ default: part })));
  let Part: ComponentType<P>;
  loadingScripts.push(load().then((part) => (Part = part)));
  return (props) => <Part {...props} />;
}
