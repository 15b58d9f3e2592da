import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AdminTicket } from '#contract/owner/tickets.ts';
import { query, send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { toast } from '../../ui/toast.ts';
import { changeCachedRows, refreshList } from '../list/list-query.ts';
import { readConflictingNotes } from '../notes-conflict.tsx';
import { uncachedQueryOptions, useSessionEnd, useSessionEndOn } from '../session.ts';
import type { NotesChange } from '../use-notes.tsx';

const ticketQuery = (id: string) => query('/api/admin/support-tickets/:id', { params: { id } });

/** The ticket whose id is in the address. It may be on another page of the list. */
export function useTicket(id: string) {
  const ticketResult = useQuery({ ...ticketQuery(id), ...uncachedQueryOptions });
  useSessionEndOn(ticketResult.error);
  return ticketResult;
}

/** Updates the cached ticket with the API's response, and refetches the list. */
export function useShowTicket() {
  const queryClient = useQueryClient();
  return (ticket: AdminTicket) => {
    queryClient.setQueryData(ticketQuery(ticket.id).queryKey, ticket);
    changeCachedRows<AdminTicket>(queryClient, 'support-tickets', (row) => (row.id === ticket.id ? ticket : row));
    void refreshList(queryClient, 'support-tickets');
  };
}

interface TicketChange extends Partial<NotesChange> {
  status?: AdminTicket['status'];
}

/**
 * Returns a function that changes the status or the notes, and returns whether the change is saved. After a failure it
 * shows the reason. If someone else has saved other notes, it calls `onTheirs` with these notes.
 */
export function useEditTicket(id: string) {
  const showTicket = useShowTicket();
  const handleSessionEnd = useSessionEnd();
  return async (change: TicketChange, onTheirs?: (theirNotes: string) => void): Promise<boolean> => {
    try {
      showTicket(await send('PATCH /api/support-tickets/:id', { params: { id }, body: change }));
      return true;
    } catch (error) {
      const theirNotes = readConflictingNotes(error);
      if (theirNotes !== undefined && onTheirs) {
        onTheirs(theirNotes);
        return false;
      }
      toast({
        title: 'Update Failed',
        description: errorText(error, 'Failed to update ticket'),
        destructive: true,
      });
      handleSessionEnd(error);
      return false;
    }
  };
}
