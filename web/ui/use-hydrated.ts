import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Whether hydration is done. False on the server and in the browser's first render, which must be the same. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
