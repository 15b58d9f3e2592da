import { useSyncExternalStore } from 'react';

/** Whether the device says that it is connected, followed live. The server believes so. */
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
