import { dayText, momentText } from '#contract/calendar.ts';
import type { OwnData } from '#shop/retention/own-data.ts';

const dollarFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const formatMoney = (cents: number) => dollarFormat.format(cents / 100);

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (value: string) => value.replace(/[&<>"']/g, (it) => escapes[it]!);
const linkHtml = (path: string, words: string) =>
  `<a href="${escapeHtml(path.split('/').map(encodeURIComponent).join('/'))}">${escapeHtml(words)}</a>`;
const rowsHtml = (all: [string, string | null | undefined][]) =>
  all.flatMap(([label, value]) => (value ? `<tr><th>${escapeHtml(label)}</th><td>${value}</td></tr>` : [])).join('');

/** An HTML page with the customer's data, for the archive. It loads nothing from the internet. */
export function renderOwnDataPage(data: OwnData): string {
  const { exportedAt, account, orders, giftCards, cartReminders, ordersByPhone, questions, emails, erased } = data;
  const body = [
    `<h1>Your data at Kinframe</h1><p>As of ${escapeHtml(momentText(exportedAt))}. The file my-data.json has the same data for programs.</p>`,
    `<h2>Account</h2><table>${rowsHtml([
      ['Name', escapeHtml(`${account.firstName} ${account.lastName}`)],
      ['Email', escapeHtml(account.email)],
      ['Since', escapeHtml(dayText(account.createdAt))],
      ['Passkeys', escapeHtml(account.passkeys.map((it) => it.name).join(', '))],
      ['Signed in', escapeHtml(account.signedIn.map((it) => it.device ?? 'A browser').join(', '))],
    ])}</table>`,
    ...orders.map(renderOrder),
    ...renderQuestions(questions),
    ...giftCardsPart(giftCards),
    ...cartRemindersPart(cartReminders),
    ...ordersByPhonePart(ordersByPhone),
    ...renderEmails(emails),
    ...(erased.length > 0
      ? [
          `<h2>Erased</h2><ul>${erased
            .map(
              ({ askedAt, frames }) =>
                `<li>${escapeHtml(dayText(askedAt))}: ${frames.map((it) => escapeHtml(`${it.frameName}, ${it.photos} photos and ${it.videos} videos`)).join('; ')}</li>`,
            )
            .join('')}</ul>`,
        ]
      : []),
  ];
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Your data at Kinframe</title><style>${style}</style><main>${body.join('\n')}</main></html>\n`;
}

function giftCardsPart(giftCards: OwnData['giftCards']): string[] {
  if (giftCards.length === 0) return [];
  const sectionRows = giftCards.map(
    ({ number, boughtAt, amountCents, recipientName, recipientEmail, message, deliverOn }) => {
      const boughtText = boughtAt === null ? '' : `, bought ${dayText(boughtAt)}`;
      const recipient = recipientEmail === null ? recipientName : `${recipientName} (${recipientEmail})`;
      const deliveryText = deliverOn === null ? 'to print' : `emailed from ${dayText(deliverOn)}`;
      return `<li>${escapeHtml(`${number}, ${formatMoney(amountCents)}${boughtText}, for ${recipient}, ${deliveryText}`)}${message ? paragraphsHtml(message) : ''}</li>`;
    },
  );
  return [`<h2>Gift cards you bought</h2><ul>${sectionRows.join('')}</ul>`];
}

function cartRemindersPart({ unsubscribedAt, reminders }: OwnData['cartReminders']): string[] {
  if (unsubscribedAt === null && reminders.length === 0) return [];
  const sectionRows = reminders.map(({ lines, leftAt, firstSentAt, secondSentAt, openedAt }) => {
    const productText = lines.map((it) => `${it.quantity} × ${it.label}`).join(', ');
    const sentTimes = [firstSentAt, ...(secondSentAt ? [secondSentAt] : [])].map((it) => momentText(it)).join(' and ');
    const openedText = openedAt ? `, opened ${momentText(openedAt)}` : '';
    return `<li>${escapeHtml(`${productText}, left ${momentText(leftAt)}: emailed ${sentTimes}${openedText}`)}</li>`;
  });
  const unsubscribedText = unsubscribedAt && `<p>${escapeHtml(`Unsubscribed ${dayText(unsubscribedAt)}.`)}</p>`;
  return [`<h2>Emails about carts</h2>${unsubscribedText ?? ''}<ul>${sectionRows.join('')}</ul>`];
}

function ordersByPhonePart(orders: OwnData['ordersByPhone']): string[] {
  if (orders.length === 0) return [];
  const sectionRows = orders.map(({ createdAt, quantity, productId, extraPackages, openedAt }) => {
    const openedText = openedAt ? `, link opened ${momentText(openedAt)}` : '';
    return `<li>${escapeHtml(`${dayText(createdAt)}: ${quantity} × ${productId}, ${extraPackages} extra packages${openedText}`)}</li>`;
  });
  return [`<h2>Orders by phone</h2><ul>${sectionRows.join('')}</ul>`];
}

function renderQuestions(questions: OwnData['questions']): string[] {
  if (questions.length === 0) return [];
  const sectionRows = questions.map(({ ticketNumber, askedAt, subject, message, answers, yourEmails }) => {
    const conversationParts = [
      ...answers.map((it) => ({ at: it.answeredAt, who: 'Our answer', words: it.words, files: it.files })),
      ...yourEmails.map((it) => ({ at: it.receivedAt, who: 'Your email', words: it.words, files: it.files })),
    ]
      .toSorted((a, b) => a.at.getTime() - b.at.getTime())
      .map(
        (it) =>
          `<p>${it.who}, ${escapeHtml(momentText(it.at))}:</p>${paragraphsHtml(it.words)}${it.files.map((file) => `<p>${linkHtml(file, file)}</p>`).join('')}`,
      );
    return `<h3>${escapeHtml(`${ticketNumber}: ${subject}`)}</h3><p>${escapeHtml(momentText(askedAt))}</p>${paragraphsHtml(message)}${conversationParts.join('')}`;
  });
  return [`<h2>Your questions</h2>${sectionRows.join('')}`];
}
const paragraphsHtml = (words: string) => `<blockquote>${escapeHtml(words)}</blockquote>`;

function renderEmails(emails: OwnData['emails']): string[] {
  if (emails.length === 0) return [];
  const sectionRows = emails.map(({ name, queuedAt, sentAt }) => {
    const sentText = sentAt ? momentText(sentAt) : `not sent yet, waiting since ${momentText(queuedAt)}`;
    return `<li>${escapeHtml(`${name ?? 'An old email'}: ${sentText}`)}</li>`;
  });
  return [`<h2>Emails to you</h2><ul>${sectionRows.join('')}</ul>`];
}

function renderOrder(order: OwnData['orders'][number]): string {
  const { shippingAddress: to, gift } = order;
  const address = to && [to.line1, to.line2, to.city, to.state, to.postalCode, to.country].filter(Boolean).join(', ');
  const orderLineTexts = order.lines.map((it) => `${it.quantity} × ${it.label}, ${formatMoney(it.amountCents)}`);
  return [
    `<h2>Order ${escapeHtml(order.orderNumber)}</h2><table>${rowsHtml([
      ['Ordered', escapeHtml(dayText(order.orderedAt))],
      ['For', escapeHtml(order.name)],
      ['Email', escapeHtml(order.email)],
      ['Phone', order.phone && escapeHtml(order.phone)],
      ['A gift for', gift && escapeHtml(gift.recipientName)],
      ['Their phone', gift?.recipientPhone ? escapeHtml(gift.recipientPhone) : null],
      ['Its card', gift?.message ? escapeHtml(gift.message) : null],
      ['Signed', gift?.from ? escapeHtml(gift.from) : null],
      ['Sent from', gift?.shipOn ? escapeHtml(dayText(gift.shipOn)) : null],
      ['Sent to', address ? escapeHtml(address) : null],
      ['Bought', orderLineTexts.map(escapeHtml).join('<br>')],
      ['Discount', order.discountCents > 0 ? escapeHtml(formatMoney(order.discountCents)) : null],
      ['Tax', escapeHtml(formatMoney(order.taxCents))],
      ['Total', escapeHtml(formatMoney(order.totalCents))],
      ['Paid by gift card', order.giftCardCents > 0 ? escapeHtml(formatMoney(order.giftCardCents)) : null],
      ['Refunded', order.refundedCents > 0 ? escapeHtml(formatMoney(order.refundedCents)) : null],
    ])}</table>`,
    `<h3>History</h3><ul>${order.history.map(({ at, words }) => `<li>${escapeHtml(momentText(at))}: ${escapeHtml(words)}</li>`).join('')}</ul>`,
    ...(order.reviews.length > 0
      ? [
          `<h3>Reviews</h3><ul>${order.reviews
            .map((it) => `<li>${escapeHtml(`${it.stars} of 5 stars, ${it.name}: ${it.words}`)}</li>`)
            .join('')}</ul>`,
        ]
      : []),
    ...order.returns.map((it) => {
      const fileLinks = [it.photo && linkHtml(it.photo, 'Photo'), it.label && linkHtml(it.label, 'Label')].filter(
        Boolean,
      );
      const conversationParts = [it.words, it.answer, it.closingWords].flatMap((words) =>
        words ? paragraphsHtml(words) : [],
      );
      return `<h3>Return</h3><p>${escapeHtml(`${momentText(it.requestedAt)}: ${it.frames.join(', ')}. ${it.reason}. Now ${it.state}.`)} ${fileLinks.join(', ')}</p>${conversationParts.join('')}`;
    }),
    ...order.frames.map(
      (frame) =>
        `<h3>${escapeHtml(frame.name)}</h3>${
          frame.photos.length === 0
            ? '<p>No photos.</p>'
            : `<ol>${frame.photos
                .map(
                  (photo) =>
                    `<li>${linkHtml(photo.file, photo.caption ?? photo.originalFileName)}${photo.video === null ? '' : `, ${linkHtml(photo.video, 'its video')}`}</li>`,
                )
                .join('')}</ol>`
        }`,
    ),
  ].join('\n');
}

const style =
  'body{font:16px/1.6 system-ui,sans-serif;color:#2b2622;background:#faf6ef;margin:0}main{max-width:44rem;margin:0 auto;padding:2rem 1.25rem 4rem}h1,h2,h3{font-family:Georgia,serif;font-weight:500;line-height:1.25}h2{margin-top:2.5rem;border-top:1px solid #e2d8c9;padding-top:1.5rem}table{border-collapse:collapse;width:100%}th{text-align:left;font-weight:400;color:#6c6259;width:8rem;vertical-align:top}th,td{padding:.3rem 0}a{color:#9a3412}blockquote{white-space:pre-wrap;margin:.5rem 0;padding-left:1rem;border-left:3px solid #e2d8c9}';
