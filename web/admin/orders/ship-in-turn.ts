import { ApiError } from '../../data/api.ts';
import { errorText, isOffline } from '../../data/error-text.ts';

/** What happened to a line after the owner has confirmed. */
export type ShippingOutcome = { state: 'shipping' | 'shipped' } | { state: 'failed'; words: string };

interface ShippingActions<R> {
  ship: (row: R) => Promise<void>;
  note: (row: R, outcome: ShippingOutcome) => void;
  onError: (error: unknown) => void;
}

/**
 * Ships one order after the other, each in a transaction of its own. A refused order does not stop the ones after it.
 * Stops if the session has ended or the shop cannot be reached, because each order after it would fail, too.
 */
export async function shipInTurn<R>(rows: readonly R[], { ship, note, onError }: ShippingActions<R>): Promise<void> {
  for (const row of rows) {
    note(row, { state: 'shipping' });
    try {
      await ship(row);
      note(row, { state: 'shipped' });
    } catch (error) {
      note(row, { state: 'failed', words: errorText(error, 'Failed to ship this order') });
      onError(error);
      if (isOffline(error) || (error instanceof ApiError && error.status === 401)) return;
    }
  }
}
