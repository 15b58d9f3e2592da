import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => {};

/** Whether hydration is done. False on the server and in the browser's first render, which must be the same. */
export const useHydrated = () =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
