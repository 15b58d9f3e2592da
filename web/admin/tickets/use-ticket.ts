import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AdminTicket } from '#contract/owner/tickets.ts';
import { query, send } from '../../data/api.ts';
import { errorWords } from '../../data/error-words.ts';
import { toast } from '../../ui/toast.ts';
import { changeRows, refreshList } from '../list/list-query.ts';
import { theirNotes } from '../notes-conflict.tsx';
import { fresh, useSessionEnd, useSessionEndOn } from '../session.ts';
import type { NotesChange } from '../use-notes.tsx';

const ticketQuery = (id: string) => query('/api/admin/support-tickets/:id', { params: { id } });

/** The ticket of the address, whatever page of the list it stands on. */
export function useTicket(id: string) {
  const found = useQuery({ ...ticketQuery(id), ...fresh });
  useSessionEndOn(found.error);
  return found;
}

/** Show a ticket as the shop has just answered it. */
export function useShowTicket() {
  const queryClient = useQueryClient();
  return (ticket: AdminTicket) => {
    queryClient.setQueryData(ticketQuery(ticket.id).queryKey, ticket);
    changeRows<AdminTicket>(queryClient, 'support-tickets', (row) => (row.id === ticket.id ? ticket : row));
    void refreshList(queryClient, 'support-tickets');
  };
}

interface Change extends Partial<NotesChange> {
  status?: AdminTicket['status'];
}

/** Change status or notes. Answers whether that is kept; says why where it is not, or hands over what others have noted. */
export function useEditTicket(id: string) {
  const show = useShowTicket();
  const noteEnd = useSessionEnd();
  return async (change: Change, onTheirs?: (theirs: string) => void): Promise<boolean> => {
    try {
      show(await send('PATCH /api/support-tickets/:id', { params: { id }, body: change }));
      return true;
    } catch (error) {
      const theirs = theirNotes(error);
      if (theirs !== undefined && onTheirs) {
        onTheirs(theirs);
        return false;
      }
      toast({
        title: 'Update Failed',
        description: errorWords(error, 'Failed to update ticket'),
        destructive: true,
      });
      noteEnd(error);
      return false;
    }
  };
}
