import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminReview } from '#contract/owner/reviews.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { toast } from '../../ui/toast.ts';
import { changeCachedRows, refreshList } from '../list/list-query.ts';
import { useSessionEnd } from '../session.ts';

/** Updates the cached review with the API's response, and refetches the list. */
export function useShowReview() {
  const queryClient = useQueryClient();
  return (review: AdminReview) => {
    changeCachedRows<AdminReview>(queryClient, 'reviews', (row) => (row.id === review.id ? review : row));
    void refreshList(queryClient, 'reviews');
  };
}

/** Approves the version of the review that the owner read. On failure, shows the reason and the current version. */
export function useApproveReview({ id, version }: AdminReview) {
  const queryClient = useQueryClient();
  const showReview = useShowReview();
  const handleSessionEnd = useSessionEnd();
  const [isBusy, setIsBusy] = useState(false);
  const approve = async () => {
    setIsBusy(true);
    try {
      showReview(await send('POST /api/admin/reviews/:id/approve', { params: { id }, body: { version } }));
      toast({ title: 'Review approved', description: 'It’s now on the product page.' });
    } catch (error) {
      toast({ title: 'Not approved', description: errorText(error), destructive: true });
      handleSessionEnd(error);
      void refreshList(queryClient, 'reviews');
    }
    setIsBusy(false);
  };
  return { approve, isBusy };
}
