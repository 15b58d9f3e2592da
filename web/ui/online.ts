import { useSyncExternalStore } from 'react';

/** Whether the device reports a network connection, updated on every change. True on the server. */
export const useOnline = () =>
  useSyncExternalStore(
    (notify) => {
      addEventListener('online', notify);
      addEventListener('offline', notify);
      return () => {
        removeEventListener('online', notify);
        removeEventListener('offline', notify);
      };
    },
    () => navigator.onLine,
    () => true,
  );
