import { useQueryClient } from '@tanstack/react-query';
import { useGoTo } from '../account/customer.ts';
import { toast } from '../ui/toast.ts';
import { type PaidOrder, rememberPaidOrder } from '../data/payment-memory.ts';
import { clearGiftCards } from '../data/gift-card-memory.ts';
import { clearPromoCode } from '../data/promo-memory.ts';
import { deleteStoredDetails } from './stored-details.ts';
import { pageAfterPayment, type VerifyPaymentResponse } from './verify-payment.ts';

/**
 * Returns a function for every page that verifies a payment. Call it with the verified payment: it stores the payment,
 * shows a message and opens the next page.
 */
export function useContinueAfterPayment() {
  const queryClient = useQueryClient();
  const goTo = useGoTo();
  return (payment: VerifyPaymentResponse): PaidOrder => {
    const order = { next: pageAfterPayment(payment), ...(payment.session && { session: payment.session }) };
    rememberPaidOrder(order);
    clearPromoCode();
    clearGiftCards();
    deleteStoredDetails();
    // Remove cached orders and frames, because they do not contain the purchase.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === '/api' });
    toast({ title: 'Payment Successful', description: 'Thank you! Your order is in, and a receipt is on its way.' });
    goTo(order.next, { replace: true });
    return order;
  };
}
