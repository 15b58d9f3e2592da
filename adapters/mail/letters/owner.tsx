/** Letters to the shop's owner: what happened, the facts, one way to act. */
import type { LetterOf } from '#contract/letters.ts';
import { Action, Address, AmountsTable, Facts, MailLink, Quote, Subheading, Words } from './paper.tsx';
import type { Draft } from './paper.tsx';
import { amount, count, moment, money } from './words.ts';

export function ownerSale(letter: LetterOf<'owner-sale'>): Draft {
  const { shop, orderNumber, orderedAt, customerName, customerEmail, totalCents, shippingAddress, adminUrl } = letter;
  return {
    isToOwner: true,
    subject: `Sale: ${money(totalCents)}, order ${orderNumber}`,
    preview: `${customerName} bought for ${money(totalCents)}.`,
    title: `Sold for ${money(totalCents)}`,
    body: (
      <>
        <Facts
          facts={{
            Order: orderNumber,
            Paid: moment(orderedAt, shop.timeZone),
            Customer: customerName,
            Email: customerEmail && <MailLink address={customerEmail} />,
          }}
        />
        <AmountsTable {...letter} isShipped={shippingAddress !== undefined} />
        {shippingAddress && (
          <>
            <Subheading>Shipping to</Subheading>
            <Address address={shippingAddress} />
          </>
        )}
        <Action href={adminUrl}>Open the order</Action>
      </>
    ),
  };
}

export function ownerTicket(letter: LetterOf<'owner-ticket'>): Draft {
  const { origin, ticketNumber, customerName, customerEmail, phone, subject, message, adminUrl } = letter;
  const isContact = origin === 'contact';
  return {
    isToOwner: true,
    subject: `${isContact ? 'Message' : 'Ticket'} ${ticketNumber}: ${subject}`,
    preview: message.replaceAll(/\s+/g, ' ').slice(0, 120),
    title: subject,
    body: (
      <>
        <Facts
          facts={{
            Ticket: ticketNumber,
            'Came by': isContact ? 'Contact form' : 'Support page',
            From: customerName,
            Email: customerEmail && <MailLink address={customerEmail} />,
            Phone: phone,
          }}
        />
        <Quote>{message}</Quote>
        <Action href={adminUrl}>Open the ticket</Action>
      </>
    ),
  };
}

export function ownerFailedJob(letter: LetterOf<'owner-failed-job'>): Draft {
  const { shop, job, failedAt, error, consequence, orderNumber, adminUrl } = letter;
  return {
    isToOwner: true,
    subject: `Failed: ${job}`,
    preview: consequence ?? error.replaceAll(/\s+/g, ' ').slice(0, 120),
    title: 'Something needs your eye',
    body: (
      <>
        <Words>{`This did not work: ${job}.`}</Words>
        <Quote>{error}</Quote>
        {consequence && <Words>{consequence}</Words>}
        <Facts facts={{ Failed: moment(failedAt, shop.timeZone), Order: orderNumber }} />
        <Action href={adminUrl}>Look into it</Action>
      </>
    ),
  };
}

export function ownerDispute(letter: LetterOf<'owner-dispute'>): Draft {
  const { shop, orderNumber, amountCents, respondBy } = letter;
  const deadline = respondBy && moment(respondBy, shop.timeZone);
  return {
    isToOwner: true,
    subject: `Dispute: ${money(amountCents)}, order ${orderNumber}`,
    preview: deadline ? `Respond by ${deadline}.` : 'A customer disputes a payment.',
    title: 'A payment is disputed',
    body: (
      <>
        <Words>
          {`The customer's bank disputes ${money(amountCents)} of order ${orderNumber}. ${deadline ? `Respond at the payment provider by ${deadline}; without a response the money is lost.` : 'Respond at the payment provider in time; without a response the money is lost.'}`}
        </Words>
        <MoneyBack {...letter} />
      </>
    ),
  };
}

export function ownerRefundFailed(letter: LetterOf<'owner-refund-failed'>): Draft {
  const { orderNumber, amountCents, photosReturned } = letter;
  return {
    isToOwner: true,
    subject: `Refund failed: ${money(amountCents)}, order ${orderNumber}`,
    preview: 'The money is with you again. Please find another way to pay it back.',
    title: 'A refund did not go through',
    body: (
      <>
        <Words>
          {`The refund of ${money(amountCents)} for order ${orderNumber} failed, and the money is with you. Try again from the order, or agree with the customer on another way.`}
        </Words>
        {photosReturned ? (
          <Words>{`The room for ${count(photosReturned, 'photo')} that went with it is part of the order again.`}</Words>
        ) : null}
        <MoneyBack {...letter} />
      </>
    ),
  };
}

export function ownerPaymentMismatch(letter: LetterOf<'owner-payment-mismatch'>): Draft {
  const { paymentIntentId, customerEmail, expectedCents, receivedCents, receivedCurrency, adminUrl } = letter;
  return {
    isToOwner: true,
    subject: `Payment does not match: ${money(expectedCents)} expected`,
    preview: 'No order was made. Please look at this payment at the provider.',
    title: 'A payment does not match its cart',
    body: (
      <>
        <Words>
          A payment arrived that is not what its cart cost, so the shop made no order of it. Look at it at the payment
          provider, then refund it there or write to the customer.
        </Words>
        <Facts
          facts={{
            Payment: paymentIntentId,
            Expected: money(expectedCents),
            Received: receivedCurrency ? `${amount(receivedCents)} ${receivedCurrency}` : money(receivedCents),
            Customer: customerEmail && <MailLink address={customerEmail} />,
          }}
        />
        <Action href={adminUrl}>Open the admin panel</Action>
      </>
    ),
  };
}

export function ownerSecondPaymentRefunded(letter: LetterOf<'owner-second-payment-refunded'>): Draft {
  const { orderNumber, customerEmail, amountCents, adminUrl } = letter;
  return {
    isToOwner: true,
    subject: `Paid twice, refunded: ${money(amountCents)}, order ${orderNumber}`,
    preview: 'The second payment was refunded. There is nothing to do.',
    title: 'Paid twice, refunded once',
    body: (
      <>
        <Words>
          {`One checkout was paid twice. The first payment became order ${orderNumber}; the second, ${money(amountCents)}, was refunded. There is nothing to do, unless the customer asks.`}
        </Words>
        <Facts
          facts={{
            Order: orderNumber,
            Refunded: money(amountCents),
            Customer: customerEmail && <MailLink address={customerEmail} />,
          }}
        />
        <Action href={adminUrl}>Open the order</Action>
      </>
    ),
  };
}

/** Which order it is about, how much, why, and the way to it. */
function MoneyBack({
  orderNumber,
  amountCents,
  reason,
  customerEmail,
  adminUrl,
}: LetterOf<'owner-dispute'> | LetterOf<'owner-refund-failed'>) {
  return (
    <>
      <Facts
        facts={{
          Order: orderNumber,
          Amount: money(amountCents),
          Reason: reason?.replaceAll('_', ' '),
          Customer: customerEmail && <MailLink address={customerEmail} />,
        }}
      />
      <Action href={adminUrl}>Open the order</Action>
    </>
  );
}
