import type { AdminOrder } from '#contract/owner/orders.ts';

export const nameOf = ({
  customerFirstName,
  customerLastName,
}: Pick<AdminOrder, 'customerFirstName' | 'customerLastName'>) => `${customerFirstName} ${customerLastName}`.trim();
