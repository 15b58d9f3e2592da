import { refusals } from '#contract/refusals.ts';
import { ClosedPage } from '../ui/closed-page.tsx';

export const InvalidReviewPage = () => (
  <ClosedPage title="This page has closed" words={refusals['review-link-invalid'].words}>
    Please check that the whole link of your mail is in the address. Would you like to take a review back? Write to us,
    and we do it for you.
  </ClosedPage>
);
