import { useHydrated } from '@tanstack/react-router';
import { ArrowLeft, Printer } from 'lucide-react';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Link } from '../ui/link.tsx';

const steps = [
  {
    title: 'Plug the frame in',
    words: 'Put it where you want it, within reach of your Wi-Fi. It switches on by itself.',
  },
  {
    title: 'Join your Wi-Fi',
    words:
      'Choose the name of your Wi-Fi on the frame and enter its password. If the frame was used before, look for Wi-Fi or Network in its settings.',
  },
  {
    title: 'Find the invitation code or the QR code',
    words:
      'Open the menu on the frame and look for the page that invites somebody to send pictures. It is usually called Invite, Add a friend, Share or Connect. It shows a code of letters and digits, a QR code, or both.',
  },
  {
    title: 'Send us one of them',
    words:
      'On the page Connect your frame, which your order leads to, type the code as it stands, or take a photo of the QR code with your phone and choose it there. One of the two is enough.',
  },
  {
    title: 'We do the rest',
    words:
      'We connect to your frame within 24 hours. When your videos are finished they arrive on it over Wi-Fi, and you get a mail with a private page to keep them, too.',
  },
];

/** /guides/connect-your-frame: one sheet, to read or to print. */
export function ConnectionGuide({ shopName, supportEmail }: { shopName: string; supportEmail: string }) {
  const hydrated = useHydrated();
  return (
    <article className="wrap max-w-3xl py-8 sm:py-12 print:max-w-none print:py-0">
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <Link to={paths.connect()} className="link inline-flex min-h-11 items-center gap-2">
          <ArrowLeft aria-hidden className="size-4" />
          Connect your frame
        </Link>
        <Button
          look="secondary"
          size="small"
          disabled={!hydrated}
          onClick={() => window.print()}
          className="needs-script"
        >
          <Printer aria-hidden className="size-5" />
          Print or save as PDF
        </Button>
      </div>
      <p className="mt-8 font-serif text-xl text-accent-deep print:mt-0">{shopName}</p>
      <h1 className="title-2 mt-1">How to connect your frame</h1>
      <p className="lede mt-4">
        Five steps, about ten minutes. Add your photos before, after or meanwhile: one does not wait for the other.
      </p>
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
        <h2 className="title-3">If the code does not show</h2>
        <p className="mt-2">
          Menus differ from frame to frame, above all if you brought your own. Send us a photo of the menu, and we tell
          you where to look:{' '}
          <Link to={`mailto:${supportEmail}`} className="link">
            {supportEmail}
          </Link>
          . You can add your photos meanwhile, and send us the code at any time.
        </p>
      </div>
    </article>
  );
}
