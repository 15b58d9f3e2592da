import { refusals } from '#contract/refusals.ts';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';

/** The link leads nowhere, or no longer. */
export function InvalidReviewPage() {
  return (
    <section className="wrap flex flex-col items-center py-24 text-center sm:py-32">
      <h1 className="title-2">This page has closed</h1>
      <p className="lede mt-4 max-w-xl">{refusals['review-link-invalid'].words}</p>
      <p className="mt-3 max-w-xl text-muted">
        Please check that the whole link of your mail is in the address. Would you like to take a review back? Write to
        us, and we do it for you.
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
