import type { AdminOrder } from '#contract/owner/orders.ts';

export const customerNameText = ({
  customerFirstName,
  customerLastName,
}: Pick<AdminOrder, 'customerFirstName' | 'customerLastName'>) => `${customerFirstName} ${customerLastName}`.trim();
