import { query } from '../data/api.ts';

/** The polling interval. Changes from other tabs or scheduled jobs appear within this time. */
const pollMs = 5000;
export const pollingQueryOptions = { staleTime: 0, refetchOnMount: true, refetchInterval: pollMs } as const;

export const sandboxQuery = () => query('/api/sandbox');
export const mailsQuery = (page: number) => query('/api/sandbox/mails', { query: { page } });
export const mailQuery = (id: string) => query('/api/sandbox/mails/:id', { params: { id } });
export const emailSamplesQuery = () => query('/api/sandbox/letters');
export const paymentsQuery = () => query('/api/sandbox/payments');
