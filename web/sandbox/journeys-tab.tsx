import type { ReactNode } from 'react';
import type { ApiResponseBody } from '../data/api.ts';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';
import { Card } from '../ui/surfaces.tsx';
import { CopyButton } from '../ui/copy-button.tsx';

/** Links to the main user journeys, such as buying a frame, and the sign-in details of sample customers. */
export function JourneysTab({ people }: { people: ApiResponseBody<'GET /api/sandbox'>['people'] }) {
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <Journey title="Buy" words="Pay with a test card, set a password, add photos.">
        <LinkButton size="small" to={paths.buy('kinframe')}>
          Buy a Kinframe
        </LinkButton>
        <LinkButton size="small" look="secondary" to={paths.buy('byof')}>
          Bring your own frame
        </LinkButton>
      </Journey>
      <Journey
        title="Act as the owner"
        words="Orders, production and emails. The password was printed when the shop first started."
      >
        <LinkButton size="small" to={paths.admin}>
          Open the admin panel
        </LinkButton>
      </Journey>
      <Journey title="Sign in, or sign up" words="You can find the confirmation link and the reset link under Emails.">
        <LinkButton size="small" to={paths.signIn}>
          Sign in
        </LinkButton>
        <LinkButton size="small" look="secondary" to={paths.forgotPassword}>
          Forgot password
        </LinkButton>
      </Journey>
      <Journey title="Ask for help" words="Creates a ticket and emails you both.">
        <LinkButton size="small" to={paths.support}>
          Support
        </LinkButton>
        <LinkButton size="small" look="secondary" to={paths.contact}>
          Contact
        </LinkButton>
      </Journey>
      <Card className="p-5 sm:p-6 md:col-span-2">
        <h2 className="title-3">Sign in as a sample customer</h2>
        {people.length === 0 ? (
          <p className="mt-2 text-muted">
            There aren’t any in this shop. <code className="font-mono text-sm">npm run demo</code> opens one with
            people, orders, photos and videos in it.
          </p>
        ) : (
          <ul className="mt-3 divide-y divide-hair">
            {people.map(({ name, email, password }) => (
              <li key={email} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
                <p className="min-w-48 flex-1">
                  <span className="block font-semibold">{name}</span>
                  <span className="block text-sm break-all text-muted">
                    {email}, {password}
                  </span>
                </p>
                <CopyButton text={email} what={`the email of ${name}`}>
                  Copy email
                </CopyButton>
                <CopyButton text={password} what={`the password of ${name}`}>
                  Copy password
                </CopyButton>
              </li>
            ))}
          </ul>
        )}
        <div className="mt-4 flex flex-wrap gap-3">
          <LinkButton size="small" to={paths.signIn}>
            Sign in
          </LinkButton>
          <LinkButton size="small" look="secondary" to={paths.upload}>
            Their photos
          </LinkButton>
        </div>
      </Card>
    </div>
  );
}

function Journey({ title, words, children }: { title: string; words: string; children: ReactNode }) {
  return (
    <Card className="flex flex-col p-5 sm:p-6">
      <h2 className="title-3">{title}</h2>
      <p className="mt-1 flex-1 text-muted">{words}</p>
      <div className="mt-4 flex flex-wrap gap-3">{children}</div>
    </Card>
  );
}
