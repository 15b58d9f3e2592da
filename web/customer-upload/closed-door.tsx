import { refusals } from '#contract/refusals.ts';
import { ClosedPage } from '../ui/closed-page.tsx';

/** No link, or one that opens nothing. */
export const ClosedDoor = ({ why }: { why: 'missing' | 'denied' }) =>
  why === 'missing' ? (
    <ClosedPage title="Invalid Link" words={refusals['link-missing'].words}>
      If you did, please allow this site to keep cookies and open it once more.
    </ClosedPage>
  ) : (
    <ClosedPage title="Access Denied" words={refusals['link-expired'].words}>
      Photos that were added are safe. Write to us and we send you a new link.
    </ClosedPage>
  );
