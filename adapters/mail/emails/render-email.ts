/** Renders the content of an email to its subject, HTML and text. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { EmailContent } from '#contract/emails.ts';
import type { EmailPicture } from '#shop/ports/mailer.ts';
import {
  accountNews,
  emailChange,
  emailChanged,
  emailConfirmation,
  passwordReset,
  signInLinkEmail,
  newSignIn,
} from './accounts.tsx';
import {
  addonReceipt,
  addressChanged,
  finishRegistration,
  framesBack,
  paymentReleased,
  receiptEmail,
  orderCanceled,
  refundEmail,
  shippedEmail,
} from './orders.tsx';
import {
  ownerDaySheet,
  ownerDispute,
  ownerFailedJob,
  ownerFraudWarning,
  ownerPaymentMismatch,
  ownerRefundFailed,
  ownerSale,
  ownerSecondPaymentRefunded,
  ownerCodesLocked,
  ownerNewSignIn,
  ownerSecondStep,
  staffInvitation,
  ownerSweepStopped,
  ownerTicket,
} from './owner.tsx';
import { cartReminder, paymentLink } from './carts.tsx';
import { giftCard, giftCardReceipt, ownerGiftCard } from './gift-cards.tsx';
import { photosErased, photosErasedSoon } from './erasure.tsx';
import { createEmailPictureReader } from './pictures.ts';
import { EmailBody, EmailLayout } from './email-layout.tsx';
import type { EmailDraft } from './email-layout.tsx';
import {
  collectLink,
  trialVideo,
  creditsGiven,
  finalizedEmail,
  photoReminder,
  uploadLink,
  videosReady,
  proofReady,
  videoAgain,
} from './photos.tsx';
import { plainTextOf } from './plain-text.ts';
import { ownerReturn, returnNews } from './returns.tsx';
import { reviewRequest } from './reviews.tsx';
import { ticketAnswered, ticketReceived } from './support.tsx';
import { sanitizeContent } from './sanitize-content.ts';

export interface RenderedEmail {
  subject: string;
  html: string;
  text: string;
  pictures: EmailPicture[];
}

/**
 * Returns a function that renders emails with the shop's own pictures from `publicFolder`. The function throws for
 * invalid content: amounts that are not whole cents, invalid dates, links that are not web addresses.
 */
export function createEmailRenderer(publicFolder: string) {
  const readPicture = createEmailPictureReader(publicFolder);
  return async (content: EmailContent, posters: EmailPicture[] = []): Promise<RenderedEmail> => {
    const sanitizedContent = sanitizeContent(content);
    const draft = draftOf(sanitizedContent);
    const ownPicture = draft.picture === undefined || posters.length > 0 ? undefined : readPicture(draft.picture);
    const wordMarkPicture = draft.isToOwner ? undefined : readPicture('mark');
    const page = createElement(EmailLayout, {
      shop: sanitizedContent.shop,
      draft,
      mark: wordMarkPicture,
      picture: ownPicture,
      posters,
    });
    const html = toPlainLines(`<!DOCTYPE html>${renderToStaticMarkup(page)}`);
    const text = plainTextOf(createElement(EmailBody, { shop: sanitizedContent.shop, draft, isFramed: false }));
    const pictures = [wordMarkPicture, ownPicture, ...posters].filter((it) => it !== undefined);
    return { subject: shortenSubject(draft.subject), html, text, pictures };
  };
}

/**
 * Makes the HTML ASCII with short lines, because email can carry such HTML unencoded. Starts a new line before every
 * style attribute. This changes no text, because quotation marks in text are entities.
 */
const toPlainLines = (html: string) =>
  html.replaceAll(' style="', '\nstyle="').replaceAll(/[^\n -~]/gu, (character) => `&#${character.codePointAt(0)};`);

function draftOf(content: EmailContent): EmailDraft {
  switch (content.kind) {
    case 'receipt':
      return receiptEmail(content);
    case 'finish-registration':
      return finishRegistration(content);
    case 'addon-receipt':
      return addonReceipt(content);
    case 'photo-reminder':
      return photoReminder(content);
    case 'finalized':
      return finalizedEmail(content);
    case 'proof-ready':
      return proofReady(content);
    case 'video-again':
      return videoAgain(content);
    case 'videos-ready':
      return videosReady(content);
    case 'review-request':
      return reviewRequest(content);
    case 'shipped':
      return shippedEmail(content);
    case 'address-changed':
      return addressChanged(content);
    case 'order-canceled':
      return orderCanceled(content);
    case 'refund':
      return refundEmail(content);
    case 'return-news':
      return returnNews(content);
    case 'payment-released':
      return paymentReleased(content);
    case 'gift-card':
      return giftCard(content);
    case 'gift-card-receipt':
      return giftCardReceipt(content);
    case 'owner-gift-card':
      return ownerGiftCard(content);
    case 'frames-back':
      return framesBack(content);
    case 'cart-reminder':
      return cartReminder(content);
    case 'payment-link':
      return paymentLink(content);
    case 'ticket-received':
      return ticketReceived(content);
    case 'ticket-answered':
      return ticketAnswered(content);
    case 'password-reset':
      return passwordReset(content);
    case 'email-confirmation':
      return emailConfirmation(content);
    case 'upload-link':
      return uploadLink(content);
    case 'collect-link':
      return collectLink(content);
    case 'trial-film':
      return trialVideo(content);
    case 'sign-in-link':
      return signInLinkEmail(content);
    case 'email-change':
      return emailChange(content);
    case 'email-changed':
      return emailChanged(content);
    case 'account-news':
      return accountNews(content);
    case 'credits-given':
      return creditsGiven(content);
    case 'photos-erased-soon':
      return photosErasedSoon(content);
    case 'photos-erased':
      return photosErased(content);
    case 'owner-sale':
      return ownerSale(content);
    case 'owner-ticket':
      return ownerTicket(content);
    case 'owner-return':
      return ownerReturn(content);
    case 'owner-failed-job':
      return ownerFailedJob(content);
    case 'owner-dispute':
      return ownerDispute(content);
    case 'owner-fraud-warning':
      return ownerFraudWarning(content);
    case 'owner-refund-failed':
      return ownerRefundFailed(content);
    case 'owner-payment-mismatch':
      return ownerPaymentMismatch(content);
    case 'owner-sweep-stopped':
      return ownerSweepStopped(content);
    case 'owner-second-step':
      return ownerSecondStep(content);
    case 'staff-invitation':
      return staffInvitation(content);
    case 'new-sign-in':
      return newSignIn(content);
    case 'owner-new-sign-in':
      return ownerNewSignIn(content);
    case 'owner-codes-locked':
      return ownerCodesLocked(content);
    case 'owner-day-sheet':
      return ownerDaySheet(content);
    case 'owner-second-payment-refunded':
      return ownerSecondPaymentRefunded(content);
  }
}

function shortenSubject(subject: string): string {
  const characters = Array.from(subject);
  return characters.length <= 150 ? subject : `${characters.slice(0, 149).join('')}…`;
}
