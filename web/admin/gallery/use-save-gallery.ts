import { useState } from 'react';
import type { GalleryItem } from '#contract/content-forms.ts';
import { send } from '../../data/api.ts';
import { errorText, isRefusal } from '../../data/error-text.ts';
import { toast } from '../../ui/toast.ts';
import { useRefreshAfterSave } from '../content/editing.ts';
import { useSessionEnd } from '../session.ts';

interface Conflict {
  mine: GalleryItem[];
  theirs: GalleryItem[];
  /** The version of `theirs`. */
  version: string;
  /** The title of the toast after `mine` is saved. */
  done: string;
}

/** Saves the whole gallery. If someone else saved it in the meantime, the owner chooses between the two versions. */
export function useSaveGallery(
  version: string | undefined,
  refetch: (options: { throwOnError: boolean }) => Promise<unknown>,
) {
  const refreshAfterSave = useRefreshAfterSave();
  const handleSessionEnd = useSessionEnd();
  const [conflict, setConflict] = useState<Conflict>();
  const saveItems = async (items: GalleryItem[], since: string | undefined) => {
    await refreshAfterSave(
      send('PUT /api/admin/gallery', { query: { version: since }, body: items }),
      '/data/gallery.json',
    );
  };
  /** Returns whether the gallery is saved. If so, shows a toast with the title `done`. */
  const save = async (items: GalleryItem[], done: string, since = version): Promise<boolean> => {
    try {
      await saveItems(items, since);
      setConflict(undefined);
      toast({ title: done, description: 'Visitors can see it now.' });
      await refetch({ throwOnError: false });
      return true;
    } catch (error) {
      if (isRefusal(error, 'content-changed')) {
        const { theirs, version: theirVersion } = error.details as { theirs: GalleryItem[]; version: string };
        setConflict({ mine: items, theirs, version: theirVersion, done });
      } else {
        const description = errorText(error, 'Failed to update gallery');
        toast({ title: 'Update Failed', description, destructive: true });
        handleSessionEnd(error);
      }
      return false;
    }
  };
  return {
    save,
    restore: async (items: GalleryItem[], since: string) => {
      await saveItems(items, since);
      await refetch({ throwOnError: false });
    },
    conflict,
    keepMine: async () => conflict !== undefined && save(conflict.mine, conflict.done, conflict.version),
    takeTheirs: async () => {
      await refetch({ throwOnError: false });
      setConflict(undefined);
    },
    editOn: () => setConflict(undefined),
  };
}
