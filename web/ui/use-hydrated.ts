import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Whether the page is awake here: false on the server and in the first render of the browser, which must agree with it. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
