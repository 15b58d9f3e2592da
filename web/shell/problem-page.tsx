import { errorWords, isPartMissing } from '../data/error-words.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { useLoadedAnew } from '../ui/late.tsx';
import { Picture } from '../ui/picture.tsx';
import { RequestNumber } from '../ui/request-number.tsx';

/** 404: there is no such page, and here is where people usually want to go. */
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
        The address may be mistyped, or the page has moved. Nothing of yours is lost.
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

/** A page that could not be made: what happened, and two ways on. One that has only been updated is loaded anew by itself. */
export function ErrorPage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isMissing = isPartMissing(error);
  if (useLoadedAnew(isMissing))
    return (
      <p role="status" className="wrap py-32 text-center text-muted">
        One moment...
      </p>
    );
  return (
    <section role="alert" className="wrap flex flex-col items-center py-24 text-center sm:py-32">
      <h1 className="title-2">That did not work</h1>
      <p className="lede mt-4 max-w-xl">{errorWords(error)}</p>
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
