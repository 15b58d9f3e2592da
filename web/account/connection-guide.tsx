import { ArrowLeft, FileDown, Printer } from 'lucide-react';
import { connectionGuide } from '#contract/connection-guide.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Link } from '../ui/link.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';

/** /guides/connect-your-frame: one page to read, print or save. */
export function ConnectionGuide({ shopName, supportEmail }: { shopName: string; supportEmail: string }) {
  const isHydrated = useHydrated();
  const { title, lede, steps, help } = connectionGuide;
  return (
    <article className="wrap max-w-3xl py-8 sm:py-12 print:max-w-none print:py-0">
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <Link to={paths.connect()} className="link inline-flex min-h-11 items-center gap-2">
          <ArrowLeft aria-hidden className="size-4" />
          Connect your frame
        </Link>
        <div className="flex flex-wrap gap-2">
          <LinkButton look="secondary" size="small" to={paths.connectionGuidePdf} download>
            <FileDown aria-hidden className="size-5" />
            Save as PDF
          </LinkButton>
          <Button
            look="secondary"
            size="small"
            disabled={!isHydrated}
            onClick={() => window.print()}
            className="needs-script"
          >
            <Printer aria-hidden className="size-5" />
            Print
          </Button>
        </div>
      </div>
      <p className="mt-8 font-serif text-xl text-accent-deep print:mt-0">{shopName}</p>
      <h1 className="title-2 mt-1">{title}</h1>
      <p className="lede mt-4">{lede}</p>
      <ol className="mt-8 space-y-7">
        {steps.map(({ title, words }, index) => (
          <li key={title} className="flex gap-5 break-inside-avoid">
            <span className="grid size-11 shrink-0 place-items-center rounded-full bg-accent-soft font-serif text-xl text-accent-deep print:border print:border-ink">
              {index + 1}
            </span>
            <div>
              <h2 className="title-3">{title}</h2>
              <p className="mt-1">{words}</p>
            </div>
          </li>
        ))}
      </ol>
      <div className="mt-10 border-t border-hair pt-6">
        <h2 className="title-3">{help.title}</h2>
        <p className="mt-2">
          {help.before}{' '}
          <Link to={`mailto:${supportEmail}`} className="link">
            {supportEmail}
          </Link>
          . {help.after}
        </p>
      </div>
    </article>
  );
}
