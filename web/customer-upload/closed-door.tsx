import { refusals } from '#contract/refusals.ts';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';

/** No link, or one that opens nothing. */
export function ClosedDoor({ why }: { why: 'missing' | 'denied' }) {
  return (
    <section className="wrap flex flex-col items-center py-24 text-center sm:py-32">
      <h1 className="title-2">{why === 'missing' ? 'Invalid Link' : 'Access Denied'}</h1>
      <p className="lede mt-4 max-w-xl">
        {why === 'missing' ? refusals['link-missing'].words : refusals['link-expired'].words}
      </p>
      <p className="mt-3 max-w-xl text-muted">
        {why === 'missing'
          ? 'If you did, please allow this site to keep cookies and open it once more.'
          : 'Photos that were added are safe. Write to us and we send you a new link.'}
      </p>
      <div className="mt-9 flex flex-wrap justify-center gap-3">
        <LinkButton to={paths.support}>Contact support</LinkButton>
        <LinkButton look="secondary" to={paths.home}>
          Back to Home
        </LinkButton>
      </div>
    </section>
  );
}
