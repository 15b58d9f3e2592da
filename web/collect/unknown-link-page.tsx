import { refusals } from '#contract/refusals.ts';
import { ClosedPage } from '../ui/closed-page.tsx';

export const UnknownLinkPage = () => (
  <ClosedPage title="We couldn’t find this page" words={refusals['collect-link-invalid'].words}>
    Sometimes part of a link gets lost. Please ask the person who sent it to send it again.
  </ClosedPage>
);
