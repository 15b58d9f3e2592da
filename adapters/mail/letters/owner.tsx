/** Letters to the shop's owner: what happened, the facts, one way to act. */
import { momentWords, weekdayWords } from '#contract/calendar.ts';
import type { LetterOf } from '#contract/letters.ts';
import { lifetimes } from '#contract/limits.ts';
import { Action, Address, AmountsTable, Facts, MailLink, Note, Quote, Subheading, TextLink, Words } from './paper.tsx';
import type { Draft } from './paper.tsx';
import { amount, count, money } from './words.ts';

export function ownerSale(letter: LetterOf<'owner-sale'>): Draft {
  const { orderNumber, orderedAt, customerName, customerEmail, totalCents, shippingAddress, gift, adminUrl } = letter;
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
            Paid: momentWords(orderedAt),
            Customer: customerName,
            Email: customerEmail && <MailLink address={customerEmail} />,
            'A gift for': gift?.recipientName,
            'Not before': gift?.shipOn && weekdayWords(gift.shipOn),
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
  const { job, failedAt, error, consequence, orderNumber, adminUrl } = letter;
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
        <Facts facts={{ Failed: momentWords(failedAt), Order: orderNumber }} />
        <Action href={adminUrl}>Look into it</Action>
      </>
    ),
  };
}

export function ownerDispute(letter: LetterOf<'owner-dispute'>): Draft {
  const { amountCents, respondBy } = letter;
  const deadline = respondBy && momentWords(respondBy);
  return {
    isToOwner: true,
    subject: `Dispute: ${money(amountCents)}, ${paidFor(letter)}`,
    preview: deadline ? `Respond by ${deadline}.` : 'A customer disputes a payment.',
    title: 'A payment is disputed',
    body: (
      <>
        <Words>
          {`The customer's bank disputes ${money(amountCents)} of ${paidFor(letter)}. ${deadline ? `Respond at the payment provider by ${deadline}; without a response the money is lost.` : 'Respond at the payment provider in time; without a response the money is lost.'}`}
        </Words>
        {letter.orderNumber === undefined && (
          <Words>The shop made no order of this payment. If it has been refunded, say so in the response.</Words>
        )}
        <MoneyBack {...letter} />
      </>
    ),
  };
}

export function ownerFraudWarning(letter: LetterOf<'owner-fraud-warning'>): Draft {
  const { amountCents } = letter;
  return {
    isToOwner: true,
    subject: `Fraud warning: ${money(amountCents)}, ${paidFor(letter)}`,
    preview: 'The card’s issuer suspects fraud. Refunding now avoids a chargeback.',
    title: 'A payment may be fraud',
    body: (
      <>
        <Words>
          {`The issuer of the card behind ${paidFor(letter)} suspects fraud. A chargeback often follows within days: it takes the money back and costs a fee.`}
        </Words>
        {letter.orderNumber === undefined ? (
          <Words>
            The shop made no order of this payment. If its money has not gone back yet, refund it at the payment
            provider now: that avoids the chargeback.
          </Words>
        ) : (
          <Words>
            If you do not know this customer, refund the whole order now and do not ship it: that avoids the chargeback.
            If you are sure of the sale, keep what proves it, such as mails and the parcel’s tracking.
          </Words>
        )}
        <MoneyBack {...letter} />
      </>
    ),
  };
}

export function ownerRefundFailed(letter: LetterOf<'owner-refund-failed'>): Draft {
  const { orderNumber, amountCents, photosReturned } = letter;
  const again = orderNumber === undefined ? 'Refund it again at the payment provider' : 'Try again from the order';
  return {
    isToOwner: true,
    subject: `Refund failed: ${money(amountCents)}, ${paidFor(letter)}`,
    preview: 'The money is with you again. Please find another way to pay it back.',
    title: 'A refund did not go through',
    body: (
      <>
        <Words>
          {`The refund of ${money(amountCents)} for ${paidFor(letter)} failed, and the money is with you. ${again}, or agree with the customer on another way.`}
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

export function ownerSweepStopped(letter: LetterOf<'owner-sweep-stopped'>): Draft {
  const { files, orphans, stoppedAt, adminUrl } = letter;
  return {
    isToOwner: true,
    subject: `Not swept: ${count(orphans, 'stored file')} without an owner`,
    preview: 'Nothing was moved or erased. Please have a look at the database and the files.',
    title: 'Too many files at once to sweep away',
    body: (
      <>
        <Words>
          {`Of ${count(files, 'stored file')}, ${orphans} are named by no photo, video or frame. The shop puts such files away by itself, but never so many at once: it has moved and erased nothing, and will not until this is settled.`}
        </Words>
        <Words>
          Most often the database is an older copy than the files, after a restore for instance. Then bring back the
          newer database, and nothing is lost. `npm run doctor` shows how the files stand.
        </Words>
        <Words>
          {`If they are truly left over, start the shop with the setting SWEEP_LIMIT=off until the next sweep, within the hour. It puts them into the trash, where they wait ${count(lifetimes.trashDays, 'day')} before they are erased.`}
        </Words>
        <Facts facts={{ Stopped: momentWords(stoppedAt) }} />
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

const secondStepWords = {
  on: {
    title: 'The second step is on',
    words: 'From now on signing in to the admin panel takes the password and a code of a phone.',
  },
  off: {
    title: 'The second step is off',
    words: 'From now on the password alone signs in to the admin panel.',
  },
  'new-recovery-codes': {
    title: 'There are new recovery codes',
    words: 'The recovery codes you had before open nothing any more.',
  },
};

export function ownerSecondStep({ what, happenedAt, device, adminUrl }: LetterOf<'owner-second-step'>): Draft {
  const { title, words } = secondStepWords[what];
  return {
    isToOwner: true,
    subject: title,
    preview: words,
    title,
    body: (
      <>
        <Words>{words}</Words>
        <Facts facts={{ When: momentWords(happenedAt), Browser: device }} />
        <Action href={adminUrl}>Open the admin panel</Action>
        <Note>
          If it was not you, somebody knows your password. Change ADMIN_PASSWORD among the shop’s settings, start it
          again, and sign out every other browser under Security.
        </Note>
      </>
    ),
  };
}

export function ownerDaySheet({ writtenAt, lines, lastBackup, adminUrl }: LetterOf<'owner-day-sheet'>): Draft {
  const [first] = lines;
  return {
    isToOwner: true,
    subject: first ? `Today: ${count(lines.length, 'thing')} to look at` : 'Today: nothing waits for you',
    preview: first ? `First of all: ${first.words}` : 'Every order, video, mail and question is taken care of.',
    title: weekdayWords(writtenAt),
    body: (
      <>
        {lines.map(({ words, detail, url }) => (
          <Words key={`${words} ${url}`}>
            {url ? <TextLink href={url}>{words}</TextLink> : <strong>{words}</strong>}
            {detail && (
              <>
                <br />
                {detail}
              </>
            )}
          </Words>
        ))}
        {!first && <Words>Nothing waits for you this morning.</Words>}
        <Action href={adminUrl}>Open the admin panel</Action>
        {lastBackup && <Note>{lastBackup}</Note>}
        <Note>You asked for this sheet each morning. “Stop the morning mail” in the panel ends it.</Note>
      </>
    ),
  };
}

type AboutMoney = LetterOf<'owner-dispute' | 'owner-fraud-warning' | 'owner-refund-failed'>;
const paidFor = ({ orderNumber, paymentIntentId }: AboutMoney) =>
  orderNumber === undefined ? `payment ${paymentIntentId}` : `order ${orderNumber}`;

/** What it is about, how much, why, and the way to it. */
function MoneyBack({ orderNumber, paymentIntentId, amountCents, reason, customerEmail, adminUrl }: AboutMoney) {
  return (
    <>
      <Facts
        facts={{
          Order: orderNumber,
          Payment: paymentIntentId,
          Amount: money(amountCents),
          Reason: reason?.replaceAll('_', ' '),
          Customer: customerEmail && <MailLink address={customerEmail} />,
        }}
      />
      <Action href={adminUrl}>{orderNumber === undefined ? 'Open the admin panel' : 'Open the order'}</Action>
    </>
  );
}
