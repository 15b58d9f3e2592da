import { useSyncExternalStore } from 'react';

/** Whether the device reports a network connection, updated on every change. True on the server. */
export const useOnline = () =>
  useSyncExternalStore(
    (tell) => {
      addEventListener('online', tell);
      addEventListener('offline', tell);
      return () => {
        removeEventListener('online', tell);
        removeEventListener('offline', tell);
      };
    },
    () => navigator.onLine,
    () => true,
  );
