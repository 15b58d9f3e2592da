import { emailNames } from '#contract/email-names.ts';
import { returnReasonTexts } from '#contract/return-forms.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Customer } from '../accounts/accounts.ts';
import { readPasskeysOf } from '../accounts/passkeys.ts';
import { readSessionsOf } from '../accounts/sessions.ts';
import { readPhoneOrdersOfEmail } from '../checkout/phone-orders.ts';
import { readCartRemindersOfEmail } from '../checkout/cart-reminder-figures.ts';
import { readContributorNames } from '../collect-links/collect-links.ts';
import { readFramesOfOrders } from '../frames/frames.ts';
import { computeShownRetentionEnd } from '../frames/frame-retention.ts';
import { readGiftCardsBoughtBy } from '../gift-cards/gift-cards.ts';
import { readHistoriesOf, isOwnersEvent, readOrdersOf } from '../orders/orders.ts';
import { readEmailsToCustomer } from '../mail/mail.ts';
import { toCrop, photosOfFrames } from '../photos/photos.ts';
import { toProvenance } from '../production/delivery.ts';
import { nameFrameFolder, originalName, videoFileName } from '../production/file-names.ts';
import { readVideosByUpload } from '../production/production.ts';
import { readReturnsOfOrders } from '../returns/returns.ts';
import { readReviewsOfOrders } from '../reviews/reviews.ts';
import { findWaitingSince } from '../stock/waiters.ts';
import { readFilesOfAnswers, readMessagesOf, type TicketFile } from '../support/ticket-messages.ts';
import { readAnswersOfTickets, readTicketsOfAddress } from '../support/tickets.ts';
import { readErasuresOf } from './erasure.ts';

export interface OwnDataFile {
  /** The path of the file in the archive. */
  name: string;
  key: string;
  sizeBytes: number;
  lastModified: Date;
}

/**
 * The data of a customer's account and orders, with their photos and videos, questions to the shop and a list of the
 * emails sent. Contains no tokens or other secrets, and no notes that only the owner reads.
 */
export async function collectOwnData({ db, clock }: { db: Db; clock: Clock }, customer: Customer) {
  const orders = await readOrdersOf(db, customer.id);
  const ids = orders.map((order) => order.id);
  // An address that is not proven may be someone else's.
  const provenEmail = customer.emailProvenAt === null ? undefined : customer.email;
  const [
    frames,
    histories,
    sessions,
    passkeys,
    erasures,
    reviews,
    returns,
    giftCards,
    cartReminders,
    phoneOrders,
    tickets,
    emails,
  ] = await Promise.all([
    readFramesOfOrders(db, ids),
    readHistoriesOf(db, ids),
    readSessionsOf(db, clock, customer.id),
    readPasskeysOf(db, customer.id),
    readErasuresOf(db, customer.id),
    readReviewsOfOrders(db, ids),
    readReturnsOfOrders(db, ids),
    readGiftCardsBoughtBy(db, { customerId: customer.id, email: provenEmail }),
    provenEmail === undefined ? undefined : readCartRemindersOfEmail(db, provenEmail),
    provenEmail === undefined ? [] : readPhoneOrdersOfEmail(db, provenEmail),
    provenEmail === undefined ? [] : readTicketsOfAddress(db, provenEmail),
    provenEmail === undefined ? [] : readEmailsToCustomer(db, provenEmail),
  ]);
  const answers = await readAnswersOfTickets(
    db,
    tickets.map((ticket) => ticket.id),
  );
  const answerFiles = await readFilesOfAnswers(
    db,
    answers.map((answer) => answer.id),
  );
  const messages = await readMessagesOf(
    db,
    tickets.map((ticket) => ticket.id),
  );
  const photos = await photosOfFrames(
    db,
    frames.map((frame) => frame.id),
  );
  const videosByPhoto = await readVideosByUpload(
    db,
    photos.map((photo) => photo.id),
  );
  const contributorNames = await readContributorNames(
    db,
    photos.flatMap(({ contributorId }) => contributorId ?? []),
  );
  const files: OwnDataFile[] = [];
  /** Adds the attachments of an email of a ticket. Returns their names in the archive. */
  const addTicketFiles = (ticketNumber: string, at: Date, attached: TicketFile[]) =>
    attached.map((file, index) => {
      const pathPrefix = `tickets/${ticketNumber}/${at.toISOString().replaceAll(':', '-')}`;
      const name = `${pathPrefix}-${index + 1}${file.key.slice(file.key.lastIndexOf('.'))}`;
      files.push({ name, key: file.key, sizeBytes: file.sizeBytes, lastModified: at });
      return name;
    });
  const data = {
    exportedAt: clock.now(),
    account: {
      firstName: customer.firstName,
      lastName: customer.lastName,
      email: customer.email,
      emailConfirmedAt: customer.emailProvenAt,
      createdAt: customer.createdAt,
      waitsForFramesSince: (provenEmail && (await findWaitingSince(db, provenEmail))) ?? null,
      passkeys: passkeys.map(({ name, createdAt, lastUsedAt }) => ({ name, createdAt, lastUsedAt })),
      signedIn: sessions.map(({ device, createdAt, lastSeenAt }) => ({ device, createdAt, lastSeenAt })),
    },
    orders: orders.map((order) => ({
      orderNumber: order.orderNumber,
      orderedAt: order.createdAt,
      status: order.status,
      canceledAt: order.canceledAt,
      name: `${order.firstName} ${order.lastName}`,
      email: order.email,
      phone: order.phone,
      shippingAddress: order.shippingAddress,
      gift: order.gift,
      lines: order.lines,
      subtotalCents: order.subtotalCents,
      discountCents: order.discountCents,
      promoCode: order.promoCode,
      taxCents: order.taxCents,
      totalCents: order.totalCents,
      giftCardCents: order.giftCardCents,
      refundedCents: order.refundedCents,
      trackingNumber: order.trackingNumber,
      history: histories
        .get(order.id)!
        .filter((event) => !isOwnersEvent(event))
        .map(({ at, words }) => ({ at, words })),
      reviews: reviews
        .filter(({ orderId }) => orderId === order.id)
        .map(({ productId, stars, words, name, writtenAt, state, answer, videoId }) => ({
          product: productId,
          stars,
          words,
          name,
          writtenAt,
          isShown: state === 'approved',
          answer,
          showsVideo: videoId !== null,
        })),
      returns: returns
        .filter(({ orderId }) => orderId === order.id)
        .map((it) => {
          const addFile = (what: string, key: string | null, sizeBytes: number | null, lastModified: Date) => {
            if (key === null || sizeBytes === null) return null;
            const name = `returns/${order.orderNumber}/${it.id}-${what}${key.slice(key.lastIndexOf('.'))}`;
            files.push({ name, key, sizeBytes, lastModified });
            return name;
          };
          return {
            frames: it.frames.map(({ name }) => name),
            state: it.state,
            reason: returnReasonTexts[it.reason],
            words: it.words,
            requestedAt: it.requestedAt,
            photo: addFile('photo', it.photoKey, it.photoBytes, it.requestedAt),
            answer: it.answer,
            answeredAt: it.answeredAt,
            label: addFile('label', it.labelKey, it.labelBytes, it.answeredAt ?? it.requestedAt),
            labelLink: it.labelLink,
            receivedAt: it.receivedAt,
            endedAt: it.endedAt,
            closingWords: it.closingWords,
          };
        }),
      frames: frames
        .filter((frame) => frame.orderId === order.id)
        .map((frame) => ({
          name: frame.name,
          invitationCode: frame.invitationCode,
          finalizedAt: frame.finalizedAt,
          videosReadyAt: frame.videosReadyAt,
          keptUntil: computeShownRetentionEnd(frame, clock) ?? null,
          photos: photos
            .filter((photo) => photo.frameId === frame.id)
            .map((photo, index) => {
              const video = videosByPhoto.get(photo.id);
              const folder = `${order.orderNumber}/${nameFrameFolder(frame)}`;
              const photoPath = `photos/${folder}/${originalName(index + 1, photo)}`;
              files.push({
                name: photoPath,
                key: photo.originalKey,
                sizeBytes: photo.fileSize,
                lastModified: photo.uploadedAt,
              });
              const hasApprovedVideo =
                video?.state === 'approved' && video.videoKey !== null && video.sizeBytes !== null;
              const videoPath = hasApprovedVideo ? `videos/${folder}/${videoFileName(index + 1, photo)}` : null;
              if (hasApprovedVideo)
                files.push({
                  name: videoPath!,
                  key: video.videoKey!,
                  sizeBytes: video.sizeBytes!,
                  lastModified: video.renderedAt ?? photo.uploadedAt,
                });
              return {
                file: photoPath,
                originalFileName: photo.originalFileName,
                caption: photo.caption,
                uploadedAt: photo.uploadedAt,
                broughtBy: (photo.contributorId && contributorNames.get(photo.contributorId)) ?? null,
                width: photo.width,
                height: photo.height,
                crop: toCrop(photo),
                sizeBytes: photo.fileSize,
                sha256: photo.sha256,
                video: videoPath,
                motion: video ? toProvenance(video) : null,
              };
            }),
        })),
    })),
    giftCards: giftCards.map((card) => ({
      number: card.number,
      boughtAt: card.paidAt,
      amountCents: card.amountCents,
      recipientName: card.recipientName,
      recipientEmail: card.recipientEmail,
      senderName: card.senderName,
      message: card.message,
      deliverOn: card.deliverOn,
      sentAt: card.sentAt,
      isVoid: card.state === 'void',
    })),
    cartReminders: cartReminders ?? { unsubscribedAt: null, reminders: [] },
    ordersByPhone: phoneOrders,
    questions: tickets.map(({ id, ticketNumber, createdAt, status, customerName, phone, subject, message }) => ({
      ticketNumber,
      askedAt: createdAt,
      status,
      name: customerName,
      phone,
      subject,
      message,
      answers: answers
        .filter(({ ticketId }) => ticketId === id)
        .map(({ id: answerId, answeredAt, words }) => ({
          answeredAt,
          words,
          files: addTicketFiles(
            ticketNumber,
            answeredAt,
            answerFiles.filter((file) => file.answerId === answerId),
          ),
        })),
      yourEmails: messages
        .filter(({ ticketId }) => ticketId === id)
        .map(({ receivedAt, words, quoted, files: attached }) => ({
          receivedAt,
          words,
          quoted,
          files: addTicketFiles(ticketNumber, receivedAt, attached),
        })),
    })),
    emails: emails.map(({ kind, queuedAt, sentAt }) => ({
      name: kind === null ? null : emailNames[kind],
      queuedAt,
      sentAt,
    })),
    erased: erasures.map(({ reason, frames: erased, askedAt, doneAt }) => ({
      reason,
      frames: erased,
      askedAt,
      doneAt,
    })),
  };
  return { data, files };
}
export type OwnData = Awaited<ReturnType<typeof collectOwnData>>['data'];
