import { canRetry, errorText } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { RequestNumber } from '../ui/request-number.tsx';

/** Shown if a page's data could not be loaded: the error, a retry button if that can help, and a link to the home page. */
export function LoadProblem({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  return (
    <section role="alert" className="wrap flex flex-col items-center py-24 text-center">
      <h1 className="title-2">{title}</h1>
      <p className="lede mt-4 max-w-xl">{errorText(error)}</p>
      <RequestNumber error={error} />
      <div className="mt-9 flex flex-wrap justify-center gap-3">
        {canRetry(error) && <Button onClick={onRetry}>Try again</Button>}
        <LinkButton look="secondary" to={paths.home}>
          Go to the home page
        </LinkButton>
      </div>
    </section>
  );
}
