/** Emails to the shop's owner: an event, its facts, and one action. */
import { momentText, weekdayText } from '#contract/calendar.ts';
import type { EmailOf } from '#contract/emails.ts';
import { lifetimes } from '#contract/limits.ts';
import { roleNames, roleTexts } from '#contract/owner/areas.ts';
import {
  EmailButton,
  Address,
  AmountsTable,
  LabelValueTable,
  MailLink,
  EmailNote,
  Quote,
  Subheading,
  TextLink,
  Paragraph,
} from './email-layout.tsx';
import type { EmailDraft } from './email-layout.tsx';
import { formatAmountWithoutCurrency, formatGreeting, mailCountText, formatEmailAmount } from './email-text.ts';

export function composeOwnerSaleEmail(content: EmailOf<'owner-sale'>): EmailDraft {
  const { orderNumber, orderedAt, customerName, customerEmail, totalCents, shippingAddress, gift, adminUrl } = content;
  return {
    isToOwner: true,
    subject: `Sale: ${formatEmailAmount(totalCents)}, order ${orderNumber}`,
    preview: `${customerName} bought for ${formatEmailAmount(totalCents)}.`,
    title: `Sold for ${formatEmailAmount(totalCents)}`,
    body: (
      <>
        <LabelValueTable
          facts={{
            Order: orderNumber,
            Paid: momentText(orderedAt),
            Customer: customerName,
            Email: customerEmail && <MailLink address={customerEmail} />,
            'A gift for': gift?.recipientName,
            'Not before': gift?.shipOn && weekdayText(gift.shipOn),
          }}
        />
        <AmountsTable {...content} isShipped={shippingAddress !== undefined} />
        {shippingAddress && (
          <>
            <Subheading>Shipping to</Subheading>
            <Address address={shippingAddress} />
          </>
        )}
        <EmailButton href={adminUrl}>Open the order</EmailButton>
      </>
    ),
  };
}

export function composeOwnerTicketEmail(content: EmailOf<'owner-ticket'>): EmailDraft {
  const { origin, ticketNumber, customerName, customerEmail, phone, files = 0, subject, message, adminUrl } = content;
  const isContact = origin === 'contact';
  return {
    isToOwner: true,
    subject: `${isContact ? 'Message' : 'Ticket'} ${ticketNumber}: ${subject}`,
    preview: message.replaceAll(/\s+/g, ' ').slice(0, 120),
    title: subject,
    body: (
      <>
        <LabelValueTable
          facts={{
            Ticket: ticketNumber,
            'Came by': { support: 'Support page', contact: 'Contact form', mail: 'Email' }[origin],
            From: customerName,
            Email: customerEmail && <MailLink address={customerEmail} />,
            Phone: phone,
            Attachments: files > 0 ? String(files) : undefined,
          }}
        />
        <Quote>{message}</Quote>
        <EmailButton href={adminUrl}>Open the ticket</EmailButton>
      </>
    ),
  };
}

export function composeOwnerFailedJobEmail(content: EmailOf<'owner-failed-job'>): EmailDraft {
  const { job, failedAt, error, consequence, orderNumber, adminUrl } = content;
  return {
    isToOwner: true,
    subject: `Failed: ${job}`,
    preview: consequence ?? error.replaceAll(/\s+/g, ' ').slice(0, 120),
    title: 'Something needs your attention',
    body: (
      <>
        <Paragraph>{`This did not work: ${job}.`}</Paragraph>
        <Quote>{error}</Quote>
        {consequence && <Paragraph>{consequence}</Paragraph>}
        <LabelValueTable facts={{ Failed: momentText(failedAt), Order: orderNumber }} />
        <EmailButton href={adminUrl}>Look into it</EmailButton>
      </>
    ),
  };
}

export function composeOwnerDisputeEmail(content: EmailOf<'owner-dispute'>): EmailDraft {
  const { amountCents, respondBy } = content;
  const deadline = respondBy && momentText(respondBy);
  return {
    isToOwner: true,
    subject: `Dispute: ${formatEmailAmount(amountCents)}, ${paidForText(content)}`,
    preview: deadline ? `Respond by ${deadline}.` : 'A customer is disputing a payment.',
    title: 'A payment is disputed',
    body: (
      <>
        <Paragraph>
          {`The customer's bank disputes ${formatEmailAmount(amountCents)} of ${paidForText(content)}. ${deadline ? `Respond at the payment provider by ${deadline}. If you don’t, you’ll lose the money.` : 'Respond at the payment provider in time. If you don’t, you’ll lose the money.'}`}
        </Paragraph>
        {content.orderNumber === undefined && (
          <Paragraph>This payment has no order. If you’ve refunded it, say so in your response.</Paragraph>
        )}
        <RefundNote {...content} />
      </>
    ),
  };
}

export function composeOwnerFraudWarningEmail(content: EmailOf<'owner-fraud-warning'>): EmailDraft {
  const { amountCents } = content;
  return {
    isToOwner: true,
    subject: `Fraud warning: ${formatEmailAmount(amountCents)}, ${paidForText(content)}`,
    preview: 'The card’s issuer suspects fraud. Refunding now avoids a chargeback.',
    title: 'A payment may be fraudulent',
    body: (
      <>
        <Paragraph>
          {`The card issuer suspects fraud in ${paidForText(content)}. A chargeback often follows within days. It takes the money back and costs a fee.`}
        </Paragraph>
        {content.orderNumber === undefined ? (
          <Paragraph>
            This payment has no order. If it hasn’t been refunded, refund it at the payment provider now to avoid the
            chargeback.
          </Paragraph>
        ) : (
          <Paragraph>
            If you don’t know this customer, refund the whole order now and don’t ship it. That avoids the chargeback.
            If you’re sure about the sale, keep your proof, such as emails and the tracking number.
          </Paragraph>
        )}
        <RefundNote {...content} />
      </>
    ),
  };
}

export function composeOwnerRefundFailedEmail(content: EmailOf<'owner-refund-failed'>): EmailDraft {
  const { orderNumber, amountCents, photosReturned } = content;
  const nextStepText =
    orderNumber === undefined ? 'Refund it again at the payment provider' : 'Try again from the order';
  return {
    isToOwner: true,
    subject: `Refund failed: ${formatEmailAmount(amountCents)}, ${paidForText(content)}`,
    preview: 'The money came back to you. Please find another way to pay the refund.',
    title: 'A refund didn’t go through',
    body: (
      <>
        <Paragraph>
          {`The refund of ${formatEmailAmount(amountCents)} for ${paidForText(content)} failed, and the money is back with you. ${nextStepText}, or agree on another way with the customer.`}
        </Paragraph>
        {photosReturned ? (
          <Paragraph>{`The order has room for ${mailCountText(photosReturned, 'photo')} again.`}</Paragraph>
        ) : null}
        <RefundNote {...content} />
      </>
    ),
  };
}

export function composeOwnerPaymentMismatchEmail(content: EmailOf<'owner-payment-mismatch'>): EmailDraft {
  const { paymentIntentId, customerEmail, expectedCents, receivedCents, receivedCurrency, adminUrl } = content;
  return {
    isToOwner: true,
    subject: `Payment does not match: ${formatEmailAmount(expectedCents)} expected`,
    preview: 'No order was created. Please check this payment at the payment provider.',
    title: 'A payment doesn’t match its cart',
    body: (
      <>
        <Paragraph>
          A payment differs from the price of its cart, so the shop did not create an order. Check it at the payment
          provider, then refund it there or write to the customer.
        </Paragraph>
        <LabelValueTable
          facts={{
            Payment: paymentIntentId,
            Expected: formatEmailAmount(expectedCents),
            Received: receivedCurrency
              ? `${formatAmountWithoutCurrency(receivedCents)} ${receivedCurrency}`
              : formatEmailAmount(receivedCents),
            Customer: customerEmail && <MailLink address={customerEmail} />,
          }}
        />
        <EmailButton href={adminUrl}>Open the admin panel</EmailButton>
      </>
    ),
  };
}

export function composeOwnerSweepStoppedEmail(content: EmailOf<'owner-sweep-stopped'>): EmailDraft {
  const { files, orphans, stoppedAt, adminUrl } = content;
  return {
    isToOwner: true,
    subject: `Cleanup stopped: ${mailCountText(orphans, 'stored file')} without an owner`,
    preview: 'Nothing was moved or deleted. Please check the database and the files.',
    title: 'Too many files to clean up at once',
    body: (
      <>
        <Paragraph>
          {`Of ${mailCountText(files, 'stored file')}, ${orphans} don’t belong to any photo, video or frame. The shop normally cleans up such files on its own, but never this many at once. Nothing was moved or deleted, and nothing will be until you decide.`}
        </Paragraph>
        <Paragraph>
          Usually the database is older than the files, for example after a restore. In that case restore the newer
          database, and nothing is lost. Run `npm run doctor` to check the files.
        </Paragraph>
        <Paragraph>
          {`If you really don’t need these files, start the shop with the setting SWEEP_LIMIT=off until the next cleanup, within an hour. It moves them to the trash and deletes them after ${mailCountText(lifetimes.trashDays, 'day')}.`}
        </Paragraph>
        <LabelValueTable facts={{ Stopped: momentText(stoppedAt) }} />
        <EmailButton href={adminUrl}>Open the admin panel</EmailButton>
      </>
    ),
  };
}

export function composeSecondPaymentRefundedEmail(content: EmailOf<'owner-second-payment-refunded'>): EmailDraft {
  const { orderNumber, customerEmail, amountCents, adminUrl } = content;
  return {
    isToOwner: true,
    subject: `Paid twice, refunded: ${formatEmailAmount(amountCents)}, order ${orderNumber}`,
    preview: 'We refunded the second payment. You don’t need to do anything.',
    title: 'Paid twice, one payment refunded',
    body: (
      <>
        <Paragraph>
          {`A customer paid twice for one checkout. The first payment became order ${orderNumber}. The second, ${formatEmailAmount(amountCents)}, was refunded. You don’t need to do anything unless the customer asks.`}
        </Paragraph>
        <LabelValueTable
          facts={{
            Order: orderNumber,
            Refunded: formatEmailAmount(amountCents),
            Customer: customerEmail && <MailLink address={customerEmail} />,
          }}
        />
        <EmailButton href={adminUrl}>Open the order</EmailButton>
      </>
    ),
  };
}

const secondStepTexts = {
  on: {
    title: 'The second step is on',
    words: 'From now on, you need the password and a code from your phone to sign in to the admin panel.',
  },
  off: {
    title: 'The second step is off',
    words: 'From now on, you only need the password to sign in to the admin panel.',
  },
  'new-recovery-codes': {
    title: 'You have new recovery codes',
    words: 'Your old recovery codes don’t work anymore.',
  },
  'passkey-added': {
    title: 'A passkey was added',
    words: 'You can now use it to sign in to the admin panel instead of the password and the code.',
  },
  'passkey-removed': {
    title: 'A passkey was removed',
    words: 'It can no longer be used to sign in to the admin panel.',
  },
  'staff-invited': {
    title: 'Someone was invited to the admin panel',
    words: 'They get an email with a link. Once they accept, they can work in your admin panel.',
  },
  'staff-role-changed': {
    title: 'A role in the admin panel was changed',
    words: 'This person can now use other parts of your admin panel than before.',
  },
};

const notOwnerAdvice =
  'If this wasn’t you, someone knows your password. Change ADMIN_PASSWORD in the shop’s settings and restart the shop. Then, under Security, sign out every other browser and remove any passkey that isn’t yours.';
const notStaffAdvice =
  'If this wasn’t you, please tell the owner of the shop right away. The owner can end your access and invite you again.';
const securityAdvice =
  'If this wasn’t you, remove this person in the panel: Settings, Staff. Then check, under Security, where you are signed in.';

export function composeOwnerSecondStepEmail({
  what,
  isStaff,
  name,
  happenedAt,
  device,
  adminUrl,
}: EmailOf<'owner-second-step'>): EmailDraft {
  const { title, words } = secondStepTexts[what];
  const isAboutStaff = what === 'staff-invited' || what === 'staff-role-changed';
  return {
    isToOwner: true,
    subject: title,
    preview: words,
    title,
    body: (
      <>
        <Paragraph>{words}</Paragraph>
        <LabelValueTable
          facts={{
            [isAboutStaff ? 'Person' : 'Passkey']: name,
            When: momentText(happenedAt),
            Browser: device,
          }}
        />
        <EmailButton href={adminUrl}>Open the admin panel</EmailButton>
        <EmailNote>{isAboutStaff ? securityAdvice : isStaff ? notStaffAdvice : notOwnerAdvice}</EmailNote>
      </>
    ),
  };
}

export function composeStaffInvitationEmail({
  shop,
  name,
  role,
  inviteUrl,
  expiresAt,
}: EmailOf<'staff-invitation'>): EmailDraft {
  return {
    subject: `You’re invited to work in the admin panel of ${shop.name}`,
    preview: 'Open the link to choose how you sign in.',
    title: `Welcome to ${shop.name}`,
    body: (
      <>
        <Paragraph>{formatGreeting(name)}</Paragraph>
        <Paragraph>{`The owner of ${shop.name} invites you to work in the admin panel.`}</Paragraph>
        <LabelValueTable facts={{ 'Your role': roleNames[role], 'It covers': roleTexts[role] }} />
        <EmailButton href={inviteUrl}>See the invitation</EmailButton>
        <EmailNote>
          {`The link works until ${momentText(expiresAt)} and only once. Nothing changes until you press the button on the page. If you don’t know this shop, please ignore this email.`}
        </EmailNote>
      </>
    ),
  };
}

export function composeOwnerNewSignInEmail({ happenedAt, device, endUrl }: EmailOf<'owner-new-sign-in'>): EmailDraft {
  const text = 'Someone signed in to the admin panel from a new browser.';
  return {
    isToOwner: true,
    subject: 'A new sign-in to the admin panel',
    preview: text,
    title: 'A sign-in from a new browser',
    body: (
      <>
        <Paragraph>{text}</Paragraph>
        <LabelValueTable facts={{ When: momentText(happenedAt), Browser: device }} />
        <Paragraph>If it was you, you don’t need to do anything.</Paragraph>
        <EmailButton href={endUrl}>This wasn’t me</EmailButton>
        <EmailNote>The link opens a page where you can sign that browser out and see what to do next.</EmailNote>
      </>
    ),
  };
}

const codesLockedText = {
  row: {
    title: 'Five wrong codes in a row',
    words:
      'Someone entered your password and then five wrong codes. They have to enter the password again before they can try another code.',
  },
  day: {
    title: 'Twenty wrong codes in a day',
    words:
      'Someone entered your password and twenty wrong codes within a day. Codes from a phone are turned off for a day. Until then, use a recovery code, or run "npm run unlock" on the shop’s computer to turn codes back on.',
  },
};

export function composeOwnerCodesLockedEmail({
  isWholeDay,
  happenedAt,
  device,
  adminUrl,
}: EmailOf<'owner-codes-locked'>): EmailDraft {
  const { title, words } = codesLockedText[isWholeDay ? 'day' : 'row'];
  return {
    isToOwner: true,
    subject: title,
    preview: words,
    title,
    body: (
      <>
        <Paragraph>{words}</Paragraph>
        <LabelValueTable facts={{ When: momentText(happenedAt), Browser: device }} />
        <EmailButton href={adminUrl}>Open the admin panel</EmailButton>
        <EmailNote>
          If this wasn’t you, someone knows your password. Change ADMIN_PASSWORD in the shop’s settings, restart the
          shop, and sign out every other browser under Security.
        </EmailNote>
      </>
    ),
  };
}

export function composeOwnerDaySheetEmail({
  writtenAt,
  lines,
  newOrders,
  lastBackup,
  adminUrl,
}: EmailOf<'owner-day-sheet'>): EmailDraft {
  const [first] = lines;
  return {
    isToOwner: true,
    subject: first ? `Today: ${mailCountText(lines.length, 'thing')} to do` : 'Today: nothing to do',
    preview: first ? `First: ${first.words}` : 'Every order, video, email and question is taken care of.',
    title: weekdayText(writtenAt),
    body: (
      <>
        {lines.map(({ words, detail, url }) => (
          <Paragraph key={`${words} ${url}`}>
            {url ? <TextLink href={url}>{words}</TextLink> : <strong>{words}</strong>}
            {detail && (
              <>
                <br />
                {detail}
              </>
            )}
          </Paragraph>
        ))}
        {!first && <Paragraph>You have nothing to do this morning.</Paragraph>}
        {newOrders && <Paragraph>{newOrders}</Paragraph>}
        <EmailButton href={adminUrl}>Open the admin panel</EmailButton>
        {lastBackup && <EmailNote>{lastBackup}</EmailNote>}
        <EmailNote>
          You get this list every morning because you turned it on. To stop it, choose “Stop the morning email” in the
          panel.
        </EmailNote>
      </>
    ),
  };
}

type OwnerPaymentEmail = EmailOf<'owner-dispute' | 'owner-fraud-warning' | 'owner-refund-failed'>;
const paidForText = ({ orderNumber, paymentIntentId }: OwnerPaymentEmail) =>
  orderNumber === undefined ? `payment ${paymentIntentId}` : `order ${orderNumber}`;

/** The payment, its amount and reason, and a link to it. */
function RefundNote({ orderNumber, paymentIntentId, amountCents, reason, customerEmail, adminUrl }: OwnerPaymentEmail) {
  return (
    <>
      <LabelValueTable
        facts={{
          Order: orderNumber,
          Payment: paymentIntentId,
          Amount: formatEmailAmount(amountCents),
          Reason: reason?.replaceAll('_', ' '),
          Customer: customerEmail && <MailLink address={customerEmail} />,
        }}
      />
      <EmailButton href={adminUrl}>{orderNumber === undefined ? 'Open the admin panel' : 'Open the order'}</EmailButton>
    </>
  );
}
