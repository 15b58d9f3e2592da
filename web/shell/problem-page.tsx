import { errorText, isPartMissing } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { useReloadedChunk } from '../ui/lazy-boundary.tsx';
import { Picture } from '../ui/picture.tsx';
import { RequestNumber } from '../ui/request-number.tsx';

/** The 404 page, with links to the pages that visitors usually look for. */
export function NotFoundPage() {
  return (
    <section className="wrap flex flex-col items-center py-16 text-center">
      <Picture
        src="brand/not-found"
        alt=""
        sizes="(min-width: 40rem) 32rem, 92vw"
        priority
        className="mb-10 aspect-8/5 w-full max-w-lg rounded-xl mix-blend-multiply"
      />
      <p className="font-serif text-xl text-accent-deep">404</p>
      <h1 className="title-2 mt-3">This page is out of the picture</h1>
      <p className="lede mt-4 max-w-xl">
        The link may be mistyped, or the page has moved. Your orders and photos are safe.
      </p>
      <div className="mt-9 flex flex-wrap justify-center gap-3">
        <LinkButton to={paths.home}>Back to Home</LinkButton>
        <LinkButton look="secondary" to={paths.support}>
          Contact support
        </LinkButton>
      </div>
    </section>
  );
}

/**
 * Replaces a page that failed: says what happened and offers two actions. If the failure is only a missing file of the
 * page, for example after an update, the page reloads automatically.
 */
export function ErrorPage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isMissing = isPartMissing(error);
  if (useReloadedChunk(isMissing))
    return (
      <p role="status" className="wrap py-32 text-center text-muted">
        One moment...
      </p>
    );
  return (
    <section role="alert" className="wrap flex flex-col items-center py-24 text-center sm:py-32">
      <h1 className="title-2">That didn’t work</h1>
      <p className="lede mt-4 max-w-xl">{errorText(error)}</p>
      <RequestNumber error={error} />
      <div className="mt-9 flex flex-wrap justify-center gap-3">
        <Button onClick={() => (isMissing ? location.reload() : onRetry())}>Try again</Button>
        <LinkButton look="secondary" to={paths.home}>
          Back to Home
        </LinkButton>
      </div>
    </section>
  );
}
