import { refusals } from '#contract/refusals.ts';
import { ClosedPage } from '../ui/closed-page.tsx';

export const InvalidDeliveryPage = () => (
  <ClosedPage title="This page has closed" words={refusals['delivery-link-invalid'].words}>
    Please check that the whole link of your mail is in the address. If it has expired, write to us and we find your
    videos.
  </ClosedPage>
);
