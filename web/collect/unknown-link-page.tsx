import { refusals } from '#contract/refusals.ts';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';

/** The link leads nowhere, or no longer. */
export function UnknownLinkPage() {
  return (
    <section className="wrap flex flex-col items-center py-24 text-center sm:py-32">
      <h1 className="title-2">We looked everywhere</h1>
      <p className="lede mt-4 max-w-xl">{refusals['collect-link-invalid'].words}</p>
      <p className="mt-3 max-w-xl text-muted">
        Sometimes the end of a link gets lost on its way. Whoever sent it to you can send it again.
      </p>
      <LinkButton look="secondary" to={paths.home} className="mt-9">
        Back to Home
      </LinkButton>
    </section>
  );
}
