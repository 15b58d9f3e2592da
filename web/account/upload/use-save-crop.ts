import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Crop } from '#contract/crop.ts';
import type { UploadView } from '#contract/frames.ts';
import { query, send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery, useShowLimits } from '../limits-query.ts';
import { withPhotoChanges } from './limits-cache.ts';

/** Saves the turn and crop of a photo, and shows the changed photo or why it could not be saved. */
export function useSaveCrop(photo: UploadView, onSaved?: () => void) {
  const queryClient = useQueryClient();
  const showLimits = useShowLimits();
  const handleSessionEnd = useSessionEnd();
  const [isSaving, setIsSaving] = useState(false);
  const saveCrop = async (crop: Crop) => {
    setIsSaving(true);
    const { id, fileName } = photo;
    try {
      const saveResponse = await send('PUT /api/uploads/:id/crop', { params: { id }, body: { ...crop, fileName } });
      showLimits((limits) => withPhotoChanges(limits, id, saveResponse));
      queryClient.removeQueries({ queryKey: query('/api/uploads/:id/seen', { params: { id } }).queryKey });
      toast({ title: 'Saved', description: 'The video will show the photo this way.' });
      onSaved?.();
    } catch (error) {
      toast({ title: 'Not saved', description: errorText(error), destructive: true });
      handleSessionEnd(error);
    } finally {
      setIsSaving(false);
      void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    }
  };
  return { saveCrop, isSaving };
}
