import type { AdminTicket } from '#contract/owner/tickets.ts';
import { Badge } from '../../ui/surfaces.tsx';

/** Badges for a ticket's status and origin. */
export function TicketBadges({ ticket: { kind, status } }: { ticket: AdminTicket }) {
  return (
    <p className="flex flex-wrap gap-2">
      <TicketStatusBadge status={status} />
      {kind === 'contact' && <Badge>Contact form</Badge>}
      {kind === 'mail' && <Badge>Email</Badge>}
      {kind === 'owner' && <Badge>You wrote first</Badge>}
    </p>
  );
}

export const TicketStatusBadge = ({ status }: Pick<AdminTicket, 'status'>) => (
  <Badge tone={status === 'open' ? 'warn' : 'good'}>{status === 'open' ? 'Open' : 'Completed'}</Badge>
);
