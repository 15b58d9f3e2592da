import { refusals } from '#contract/refusals.ts';
import { ClosedPage } from '../ui/closed-page.tsx';

export const UnknownLinkPage = () => (
  <ClosedPage title="We looked everywhere" words={refusals['collect-link-invalid'].words}>
    Sometimes the end of a link gets lost on its way. Whoever sent it to you can send it again.
  </ClosedPage>
);
