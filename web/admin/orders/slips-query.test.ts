import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { clearAdminData } from '../session.ts';
import { slipsQuery } from './slips-query.ts';

test('signing out of the panel removes the orders of the packing slips from the browser', () => {
  const queryClient = new QueryClient();
  const { queryKey } = slipsQuery(queryClient, 'o1.o2');
  queryClient.setQueryData(queryKey, { orders: [], missing: 2 });
  clearAdminData(queryClient);
  expect(queryClient.getQueryData(queryKey)).toBeUndefined();
});
