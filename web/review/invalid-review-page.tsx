import { refusals } from '#contract/refusals.ts';
import { ClosedPage } from '../ui/closed-page.tsx';

export const InvalidReviewPage = () => (
  <ClosedPage title="This page has closed" words={refusals['review-link-invalid'].words}>
    Please check that you opened the full link from your email. Would you like to delete a review? Write to us and we’ll
    do it for you.
  </ClosedPage>
);
