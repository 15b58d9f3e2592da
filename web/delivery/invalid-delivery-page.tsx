import { refusals } from '#contract/refusals.ts';
import { ClosedPage } from '../ui/closed-page.tsx';

export const InvalidDeliveryPage = () => (
  <ClosedPage title="This page has closed" words={refusals['delivery-link-invalid'].words}>
    Please check that you opened the full link from your email. If it has expired, write to us and we’ll find your
    videos.
  </ClosedPage>
);

export const WithdrawnDeliveryPage = () => (
  <ClosedPage title="These videos aren’t available anymore" words={refusals['delivery-withdrawn'].words}>
    If you think this is a mistake, please write to us.
  </ClosedPage>
);
