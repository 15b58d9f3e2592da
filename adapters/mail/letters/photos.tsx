/** Letters about photos and the videos made from them. */
import { lifetimes } from '#contract/limits.ts';
import type { LetterOf } from '#contract/letters.ts';
import { Action, Note, Words } from './paper.tsx';
import type { Draft } from './paper.tsx';
import { count, greeting, listed, moment } from './words.ts';

export function photoReminder({ firstName, frameNames, daysOpen, uploadUrl }: LetterOf<'photo-reminder'>): Draft {
  const areOpen = `${listed(frameNames)} ${frameNames.length === 1 ? 'is' : 'are'} still open`;
  const isLast = daysOpen >= 7;
  return {
    subject: isLast ? 'A last reminder: your photos' : daysOpen <= 1 ? 'Your photos, whenever you are ready' : areOpen,
    preview: `${areOpen}. We begin as soon as you finalize.`,
    title: daysOpen <= 1 ? 'Which photos shall we bring to life?' : 'Shall we begin?',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>
          {`${areOpen}. A wedding, a grandchild, a dog in the snow: choose what you would like to see move, and finalize when you are done. Then we begin.`}
        </Words>
        <Action href={uploadUrl}>Go to your photos</Action>
        <Note>Photos of at least 1200 by 1200 pixels look best. You can stop at any time and go on later.</Note>
        {isLast && (
          <Note>
            This is our last reminder. Your order stays open, and we are happy to help if something is in the way.
          </Note>
        )}
      </>
    ),
  };
}

export function uploadLink({ shop, firstName, uploadUrl, expiresAt }: LetterOf<'upload-link'>): Draft {
  return {
    subject: 'Your link for uploading photos',
    preview: 'It opens your upload page without signing in.',
    title: 'Your upload link',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>This private link opens your upload page on any phone or computer, without signing in.</Words>
        <Action href={uploadUrl}>Upload photos</Action>
        <Note>
          {`The link works until ${moment(expiresAt, shop.timeZone)}. Whoever has it can see your photos and add new ones, so pass it on only to people you trust.`}
        </Note>
      </>
    ),
  };
}

export function finalized({ firstName, frameName, photoCount, orderNumber, orderUrl }: LetterOf<'finalized'>): Draft {
  return {
    subject: `We have your photos for ${frameName}`,
    preview: `${count(photoCount, 'photo')} for ${frameName}. Your videos are ready in 24 to 72 hours.`,
    overline: `Order ${orderNumber}`,
    title: 'Your photos are in good hands',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>
          {`We have your ${count(photoCount, 'photo')} for ${frameName} and now turn ${photoCount === 1 ? 'it into a short video' : 'them into short videos'}. This takes 24 to 72 hours. We write to you as soon as you can watch.`}
        </Words>
        <Words>Your selection is closed from here on, so that nothing changes while we work.</Words>
        {orderUrl && <Action href={orderUrl}>See your order</Action>}
      </>
    ),
  };
}

export function videosReady({
  shop,
  firstName,
  frameName,
  videoCount,
  deliveryUrl,
  expiresAt,
}: LetterOf<'videos-ready'>): Draft {
  const isOne = videoCount === 1;
  return {
    subject: isOne ? `Your video for ${frameName} is ready` : `Your ${videoCount} videos for ${frameName} are ready`,
    preview: isOne ? 'Watch and download it on your private page.' : 'Watch and download them on your private page.',
    overline: frameName,
    title: isOne ? 'Your video is ready' : 'Your videos are ready',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>
          {isOne
            ? `Your photo for ${frameName} has become a short video. On your private page you can watch and download it.`
            : `Your photos for ${frameName} have become ${count(videoCount, 'short video')}. On your private page you can watch them, download each, or download all at once.`}
        </Words>
        <Action href={deliveryUrl}>{isOne ? 'Watch your video' : 'Watch your videos'}</Action>
        <Words>
          Once your frame is connected to your Wi-Fi and its invitation code is in your account, we send them to the
          frame as well.
        </Words>
        <Note>
          {`The page stays open until ${moment(expiresAt, shop.timeZone)}. We keep your photos and videos for ${lifetimes.deliveryDays} days after delivery and then delete them, so please download what you would like to keep. Whoever has the link can watch.`}
        </Note>
      </>
    ),
  };
}
