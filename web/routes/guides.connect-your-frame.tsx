import { createFileRoute } from '@tanstack/react-router';
import { ConnectionGuide } from '../account/connection-guide.tsx';
import { paths } from '../paths.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/guides/connect-your-frame')({
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'How to connect your frame',
      description:
        'Five steps to find the invitation code or the QR code of your frame, on one sheet to read or print.',
      path: paths.connectionGuide,
    }),
  // No header and footer, because they would be printed with the sheet.
  staticData: { bare: true },
  component: Guide,
});

function Guide() {
  const { site } = Route.useRouteContext();
  return <ConnectionGuide shopName={site.name} supportEmail={site.contactEmail} />;
}
