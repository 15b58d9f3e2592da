import { lifetimes, limits } from '#contract/limits.ts';
import { minutesText, hoursText, formatThousands } from './phrases.ts';
import type { RefusalTexts } from './refusal-texts.ts';

/** Refusals about frames, photos and links to them. */
export const photosRefusals = {
  'frame-not-selected': { status: 400, words: 'Please choose the frame these photos are for.' },
  'photo-limit-reached': {
    status: 409,
    words: 'This frame has reached its photo upload limit. Purchase additional photo packages to upload more photos.',
  },
  'frame-finalized': {
    status: 409,
    words: 'This frame is finalized, so its photos are locked. Please contact support if something needs to change.',
  },
  'photo-changed': {
    status: 409,
    words: 'This photo was turned or cropped in another window. Please look at it again, then make your change.',
  },
  'not-a-pair': {
    status: 409,
    words: 'Only two upright photos that you’ve accepted can be shown side by side.',
  },
  'crop-too-small': {
    status: 400,
    words: `This part of the photo is too small for a video. It needs at least ${limits.photoLeastPixels} pixels on its shorter side.`,
  },
  'photo-in-production': {
    status: 409,
    words: 'This photo is locked because its frame is finalized and we’re making its video.',
  },
  'no-photos-in-order': { status: 404, words: 'There are no photos in this order yet.' },
  'no-files-selected': { status: 400, words: 'Please select files to upload.' },
  'addon-given-back': {
    status: 409,
    words:
      'This frame was refunded in the meantime, so you cannot add photos to it. Your payment is on its way back to your card, and we will email you about it.',
  },
  'frame-erased': {
    status: 409,
    words:
      'The photos and videos of this frame were deleted, so there is nothing to put on it. Add a photo package, and then you can connect it again.',
  },
  'frame-refunded': { status: 409, words: 'This frame was refunded, so you cannot add photos to it.' },
  'no-unused-package': {
    status: 409,
    words: 'This frame doesn’t have an empty photo package to move.',
  },
  'no-photos-yet': { status: 409, words: 'Please upload at least one photo before finalizing.' },
  'no-file': { status: 400, words: 'Please choose a photo to upload.' },
  'no-film': { status: 415, words: 'Please choose an MP4 file.' },
  'film-too-large': {
    status: 413,
    words: `Please choose a video of at most ${limits.filmBytes / 1024 / 1024} MB.`,
  },
  'no-media': { status: 400, words: 'Please choose a picture or a video to upload.' },
  'media-type': {
    status: 415,
    words: (facts: { names: string }) =>
      `We can’t show this file: ${facts.names}. Please use a JPEG, PNG, HEIC, WebP or GIF picture, or an MP4, MOV or WebM video.`,
  },
  'media-too-large': {
    status: 413,
    words: `Pictures can be up to ${limits.photoMegabytes} MB, and videos up to ${limits.pageFilmBytes / 1024 / 1024} MB.`,
  },
  'image-needed': { status: 415, words: 'Please choose a picture: a JPEG, PNG, HEIC, WebP or GIF.' },
  'video-needed': { status: 415, words: 'Please choose a video file: MP4, MOV or WebM.' },
  'video-unplayable': {
    status: 422,
    words: (facts: { names: string }) =>
      `Not every browser can play this video: ${facts.names}. Please save it as an MP4 with H.264 and try again.`,
  },
  'invalid-file-type': {
    status: 415,
    words: (facts: { names: string }) =>
      `These files are not supported: ${facts.names}. Please use JPEG, PNG, HEIC, WebP, or GIF images.`,
  },
  'file-too-large': {
    status: 413,
    words: (facts: { names: string }) =>
      `These files exceed the ${limits.photoMegabytes}MB limit: ${facts.names}. Try compressing or resizing them.`,
  },
  'piece-out-of-order': {
    status: 409,
    words: 'This part of the photo is not the next one. Please check how much has arrived and continue from there.',
  },
  'piece-too-long': { status: 413, words: 'This part is longer than the rest of the photo.' },
  'piece-too-large': {
    status: 413,
    words: `One part of a photo can be at most ${limits.pieceBytes / 1024} KB.`,
  },
  'too-many-arrivals': {
    status: 409,
    words: `This frame already has ${limits.arrivalsPerFrame} photos still uploading. Please let them finish first.`,
  },
  'photo-damaged': {
    status: 422,
    words: (facts: { names: string }) =>
      `We cannot open this file because it seems to be damaged: ${facts.names}. Please try the original photo from your phone or camera.`,
  },
  'photo-too-many-pixels': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture has more than ${limits.photoPixels / 1e6} megapixels: ${facts.names}. Try compressing or resizing it.`,
  },
  'content-changed': {
    status: 409,
    words:
      'Someone else saved this section after you opened it. Nothing was overwritten. Please choose which version to keep.',
  },
  'notes-changed': {
    status: 409,
    words:
      'Someone else changed these notes after you opened them. Nothing was overwritten. Please choose which version to keep.',
  },
  'photo-side-too-long': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture is wider or taller than ${formatThousands(limits.photoSidePixels)} pixels: ${facts.names}. Try cropping it or making it smaller.`,
  },
  'photo-too-small': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture is too small for a video: ${facts.names}. It needs at least ${limits.photoLeastPixels} pixels on its shorter side. Photos of 1200 x 1200 or more look best.`,
  },
  'photo-too-much-colour': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture has more color detail than we can handle at this size: ${facts.names}. Please save it as a JPEG and try again.`,
  },
  'photo-too-slow': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture took too long to open: ${facts.names}. Try making it smaller or saving it as a JPEG.`,
  },
  'photos-too-slow': {
    status: 429,
    words: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Several of your pictures took too long to open. Please make them smaller or save them as JPEGs, and try again in ${minutesText(retryAfterSeconds)}.`,
  },
  'trial-off': { status: 409, words: 'You can’t try a photo right now.' },
  'trial-limit-reached': {
    status: 429,
    words: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `You can try ${limits.trialsPerNetwork} photos a day from one internet connection. You can try the next one in ${hoursText(retryAfterSeconds)}.`,
  },
  'trial-queue-full': {
    status: 409,
    words:
      'A lot of people are trying a photo right now. We didn’t keep your photo. Please try again in a few minutes.',
  },
  'trial-not-ready': { status: 409, words: 'Your video is not ready yet. You can do this once it’s ready to watch.' },
  'trial-mail-limit': {
    status: 429,
    words: 'We’ve already sent the link several times. Please check your inbox, or try again in an hour.',
  },
  'trial-claimed': { status: 409, words: 'This photo is already on a frame.' },
  'trial-link-invalid': {
    status: 404,
    words: `This link doesn’t work anymore. We delete free videos ${lifetimes.trialHours} hours after the photo was sent, or sooner if the person who sent it asks.`,
  },
  'connection-empty': { status: 400, words: 'Please enter an invitation code or add a photo of the QR code.' },
  'connection-too-long': {
    status: 400,
    words: `Please use at most ${limits.invitationCodeCharacters} characters for the invitation code.`,
  },
  'qr-type': { status: 400, words: 'Please upload a JPEG or PNG image.' },
  'qr-too-large': { status: 413, words: 'Please upload an image smaller than 10MB.' },
  'photos-waiting': {
    status: 409,
    words: ({ frame, count }: { frame: string; count: number }) =>
      count === 1
        ? `Your family added a photo for ${frame}. Please accept or remove it in My Uploads first.`
        : `Your family added ${count} photos for ${frame}. Please accept or remove them in My Uploads first.`,
  },
  'link-missing': { status: 403, words: 'Please open the complete upload link that we sent you.' },
  'link-closed': {
    status: 409,
    words:
      'These photos are finalized, so you can only view them here. Please contact support if something needs to change.',
  },
  'collect-link-invalid': {
    status: 404,
    words: 'We do not recognize this link. Please ask the sender for it again.',
  },
  'first-name-needed': { status: 401, words: 'Please tell us your first name first.' },
  'collect-full': {
    status: 409,
    words: 'The frame is full, so nothing was added. If someone removes a photo, you can add another one.',
  },
  'photo-accepted': {
    status: 409,
    words: 'This photo is in the frame now, so only the owner of the frame can change its title.',
  },
  'collect-paused': {
    status: 409,
    words: 'You can’t add photos through this link right now. Please try again a little later.',
  },
  'collect-ended': { status: 409, words: 'Collecting has ended, so you cannot add more photos.' },
  'collect-finalized': {
    status: 409,
    words: 'The photos are being turned into videos, so they cannot be changed anymore.',
  },
  'collect-link-open': {
    status: 409,
    words: 'This frame already has a link. Please end it before you make a new one.',
  },
  'collect-day-outside': {
    status: 400,
    words: (facts: { day: string }) => `Please choose a day from today to ${facts.day}.`,
  },
  'too-many-contributors': { status: 409, words: 'This link has reached its limit, so no one else can join.' },
  'too-many-invitations': {
    status: 409,
    words: 'You’ve sent a lot of invitations in the last hour. Please share the link yourself, or try again later.',
  },
  'link-expired': { status: 403, words: 'This upload link has expired or is invalid.' },
  'delivery-withdrawn': {
    status: 404,
    words: 'This order was refunded and its photos were removed, so its videos are no longer here.',
  },
  'delivery-link-invalid': { status: 404, words: 'This delivery link has expired or is invalid.' },
  'proof-link-invalid': { status: 404, words: 'This link has expired or is invalid.' },
  'review-link-invalid': { status: 404, words: 'This review link has expired or is invalid.' },
  'review-decided': {
    status: 409,
    words: 'We’ve already read this review, so it can’t be changed anymore. You can still delete it at any time.',
  },
  'review-film-gone': {
    status: 409,
    words: 'That video is no longer available or has changed. Please choose again.',
  },
  'review-changed': {
    status: 409,
    words: 'The customer changed this review after you read it. Please read it again.',
  },
  'proof-over': {
    status: 409,
    words: 'You don’t need to decide about these videos right now. We’ll email you as soon as they’re delivered.',
  },
  'share-day-outside': {
    status: 400,
    words: (facts: { day: string }) => `Please choose a day from today to ${facts.day}, when we delete the videos.`,
  },
  'too-many-shares': {
    status: 409,
    words: `You already have ${limits.sharesPerFrame} shared links. Please end one of them first.`,
  },
  'no-credits-left': {
    status: 409,
    words: 'You don’t have any reupload credits left. Please write to us if a video didn’t turn out right.',
  },
  'user-is-customer': {
    status: 409,
    words: 'A user and their customer record are the same account, so the customer ID can’t be changed.',
  },
  'no-frame-for-places': {
    status: 409,
    words: 'This user doesn’t own a frame yet, so there’s no room for photos. An order adds it.',
  },
  'frame-takes-no-more': {
    status: 409,
    words: `A frame can hold at most ${formatThousands(limits.mostPhotosOfFrame)} photos.`,
  },
  'places-in-use': {
    status: 409,
    words: ({ what, least }: { what: 'base photos' | 'extra packages'; least: number }) =>
      `The ${what} can’t go below ${least} right now. The others are filled with photos or belong to a finalized frame.`,
  },
  'no-redos-left': {
    status: 409,
    words: 'You’ve used all the changes included with this frame. Please write to us if something is wrong.',
  },
} as const satisfies RefusalTexts;
