import { refusals } from '#contract/refusals.ts';
import { ClosedPage } from '../ui/closed-page.tsx';

/** Shown if there is no upload link, or if it has expired. */
export const UploadLinkClosed = ({ why }: { why: 'missing' | 'denied' }) =>
  why === 'missing' ? (
    <ClosedPage title="Invalid Link" words={refusals['link-missing'].words}>
      If you did, please allow cookies for this site and open it again.
    </ClosedPage>
  ) : (
    <ClosedPage title="Access Denied" words={refusals['link-expired'].words}>
      The photos you added are safe. Write to us and we will send you a new link.
    </ClosedPage>
  );
