import type { AdminTicket } from '#contract/owner/tickets.ts';
import { Badge } from '../../ui/surfaces.tsx';

/** Badges for a ticket's status and origin. */
export function TicketBadges({ ticket: { kind, status } }: { ticket: AdminTicket }) {
  return (
    <p className="flex flex-wrap gap-2">
      <Badge tone={status === 'open' ? 'warn' : 'good'}>{status === 'open' ? 'Open' : 'Completed'}</Badge>
      {kind === 'contact' && <Badge>Contact form</Badge>}
      {kind === 'mail' && <Badge>Email</Badge>}
      {kind === 'owner' && <Badge>You wrote first</Badge>}
    </p>
  );
}
