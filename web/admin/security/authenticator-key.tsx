import { CopyButton } from '../../ui/copy-button.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

/** The secret of a new second factor: as a QR code for the authenticator app, and as a key to type. */
export function AuthenticatorKey({ begun: { secret, address } }: { begun: { secret: string; address: string } }) {
  return (
    <div className="mt-5 grid items-center gap-5 rounded-lg bg-linen p-4 sm:grid-cols-[auto_1fr]">
      <QrCode text={address} label="QR code for your authenticator app" className="mx-auto size-48 rounded-md" />
      <div>
        <p className="text-[0.9375rem] text-muted">No camera? Type this key into the app:</p>
        <p className="mt-1 font-mono break-words select-all">{secret.match(/.{1,4}/g)!.join(' ')}</p>
        <div className="flex flex-wrap gap-x-4">
          <CopyButton text={secret} what="the key">
            Copy
          </CopyButton>
          <a href={address} className="link inline-flex min-h-11 items-center font-semibold md:hidden">
            Open in an app on this phone
          </a>
        </div>
      </div>
    </div>
  );
}
