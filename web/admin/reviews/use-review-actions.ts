import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminReview } from '#contract/owner/reviews.ts';
import { send } from '../../data/api.ts';
import { errorWords } from '../../data/error-words.ts';
import { toast } from '../../ui/toast.ts';
import { changeRows, refreshList } from '../list/list-query.ts';
import { useSessionEnd } from '../session.ts';

/** Show a review as the shop has just answered it. */
export function useShowReview() {
  const queryClient = useQueryClient();
  return (review: AdminReview) => {
    changeRows<AdminReview>(queryClient, 'reviews', (row) => (row.id === review.id ? review : row));
    void refreshList(queryClient, 'reviews');
  };
}

/** Approve as it was read; says why where it could not be, and what it says now. */
export function useApproveReview({ id, version }: AdminReview) {
  const queryClient = useQueryClient();
  const show = useShowReview();
  const noteEnd = useSessionEnd();
  const [isBusy, setIsBusy] = useState(false);
  const approve = async () => {
    setIsBusy(true);
    try {
      show(await send('POST /api/admin/reviews/:id/approve', { params: { id }, body: { version } }));
      toast({ title: 'Review Approved', description: 'It stands on its product’s page.' });
    } catch (error) {
      toast({ title: 'Not Approved', description: errorWords(error), destructive: true });
      noteEnd(error);
      void refreshList(queryClient, 'reviews');
    }
    setIsBusy(false);
  };
  return { approve, isBusy };
}
