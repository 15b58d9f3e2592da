/** Emails about photos and the videos made from them. */
import { dayText, momentText } from '#contract/calendar.ts';
import type { EmailOf } from '#contract/emails.ts';
import { EmailButton, EmailNote, TextLink, Paragraph } from './email-layout.tsx';
import type { EmailDraft } from './email-layout.tsx';
import { mailCountText, formatGreeting, isHarmlessText, joinWithAnd } from './email-text.ts';

export function composePhotoReminderEmail(content: EmailOf<'photo-reminder'>): EmailDraft {
  const { firstName, frameNames, daysOpen, uploadUrl, unsubscribeUrl } = content;
  const waitingFramesText = `${joinWithAnd(frameNames)} ${frameNames.length === 1 ? 'is' : 'are'} still waiting for you`;
  const isLast = daysOpen >= 7;
  return {
    subject: isLast
      ? 'Last reminder: your photos'
      : daysOpen <= 1
        ? 'Your photos, whenever you’re ready'
        : waitingFramesText,
    preview: `${waitingFramesText}. We’ll start as soon as you finalize your photos.`,
    title: daysOpen <= 1 ? 'Which photos should we bring to life?' : 'Shall we start?',
    picture: 'photos',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          {`${waitingFramesText}. A wedding, a grandchild, a dog in the snow: choose the photos you’d like to see move, and finalize when you’re done. Then we’ll get started.`}
        </Paragraph>
        <EmailButton href={uploadUrl}>Go to your photos</EmailButton>
        <EmailNote>
          Photos of at least 1200 by 1200 pixels look best. You can stop at any time and continue later.
        </EmailNote>
        {unsubscribeUrl && (
          <EmailNote>
            Don’t want reminders? <TextLink href={unsubscribeUrl}>Stop the reminders</TextLink>
          </EmailNote>
        )}
        {isLast && (
          <EmailNote>
            This is our last reminder. Your order stays open, and we’re happy to help if you’re stuck.
          </EmailNote>
        )}
      </>
    ),
  };
}

export function composeUploadLinkEmail({ firstName, uploadUrl, expiresAt }: EmailOf<'upload-link'>): EmailDraft {
  return {
    subject: 'Your photo upload link',
    preview: 'Open your upload page without signing in.',
    title: 'Your upload link',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>This private link opens your upload page on any phone or computer, without signing in.</Paragraph>
        <EmailButton href={uploadUrl}>Upload photos</EmailButton>
        <EmailNote>
          {`The link works until ${momentText(expiresAt)}. Anyone with the link can see your photos and add new ones, so share it only with people you trust.`}
        </EmailNote>
      </>
    ),
  };
}

/** For a recipient who may not know the shop: says who asks for photos, what for, and that it costs nothing. */
export function composeCollectLinkEmail({
  customerFirstName,
  collectionName,
  collectUrl,
  expiresAt,
}: EmailOf<'collect-link'>): EmailDraft {
  const customerName =
    isHarmlessText(customerFirstName, 40) && customerFirstName !== '' ? customerFirstName : 'Someone you know';
  const purposeText = isHarmlessText(collectionName, 60) ? `: ${collectionName}` : '';
  // expiresAt is the midnight after the last day.
  const lastDay = dayText(Date.parse(expiresAt) - 60_000);
  return {
    subject: `${customerName} is asking for your photos`,
    preview: 'Add yours from your phone. No account needed.',
    title: `${customerName} is collecting photos`,
    picture: 'frame',
    body: (
      <>
        <Paragraph>Hello,</Paragraph>
        <Paragraph>
          {`${customerName} is filling a picture frame with photos that come to life${purposeText}. Yours belong in it, too. Open the page, enter your first name, and choose the photos you’d like to share.`}
        </Paragraph>
        <EmailButton href={collectUrl}>Add your photos</EmailButton>
        <EmailNote>
          {`It’s free, and you don’t need an account. In your family, only ${customerName} sees your photos. You can remove them until the videos are made. The page is open until ${lastDay}.`}
        </EmailNote>
        <EmailNote>
          If you don’t know what this is about, please ignore this email. We won’t write to you about it again.
        </EmailNote>
      </>
    ),
  };
}

/** For the link to a free video: the recipient may be someone other than the visitor who typed the address. */
export function composeTrialVideoEmail({ watchUrl, endsAt }: EmailOf<'trial-film'>): EmailDraft {
  return {
    subject: 'Your photo, brought to life',
    preview: 'A video made from one photo.',
    title: 'Your video is ready to watch',
    picture: 'frame',
    body: (
      <>
        <Paragraph>Hello,</Paragraph>
        <Paragraph>
          Here’s the free video that was made from one photo on our website. You can watch and download it.
        </Paragraph>
        <EmailButton href={watchUrl}>Watch the video</EmailButton>
        <EmailNote>
          {`The link works until ${momentText(endsAt)}. Then we delete the photo and the video. Anyone with the link can watch the video, so share it only with people you trust.`}
        </EmailNote>
        <EmailNote>
          Someone typed your email address on our website to get this link. If this wasn’t you, please ignore this
          email. We don’t keep your email address.
        </EmailNote>
      </>
    ),
  };
}

export function composeFinalizedEmail({
  firstName,
  frameName,
  photoCount,
  orderNumber,
  orderUrl,
}: EmailOf<'finalized'>): EmailDraft {
  return {
    subject: `We have your photos for ${frameName}`,
    preview: `${mailCountText(photoCount, 'photo')} for ${frameName}. Your videos are ready in 24 to 72 hours.`,
    overline: `Order ${orderNumber}`,
    title: 'Your photos are in good hands',
    picture: 'photos',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          {`We have your ${mailCountText(photoCount, 'photo')} for ${frameName} and are now turning ${photoCount === 1 ? 'it into a short video' : 'them into short videos'}. This takes 24 to 72 hours. We’ll email you as soon as you can watch.`}
        </Paragraph>
        <Paragraph>Your selection is now closed, so nothing changes while we work.</Paragraph>
        {orderUrl && <EmailButton href={orderUrl}>See your order</EmailButton>}
      </>
    ),
  };
}

export function composeVideosReadyEmail({
  firstName,
  frameName,
  videoCount,
  deliveryUrl,
  expiresAt,
}: EmailOf<'videos-ready'>): EmailDraft {
  const isSingleVideo = videoCount === 1;
  return {
    subject: isSingleVideo
      ? `Your video for ${frameName} is ready`
      : `Your ${videoCount} videos for ${frameName} are ready`,
    preview: isSingleVideo
      ? 'Watch and download it on your private page.'
      : 'Watch and download them on your private page.',
    overline: frameName,
    title: isSingleVideo ? 'Your video is ready' : 'Your videos are ready',
    postersUrl: deliveryUrl,
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          {isSingleVideo
            ? `Your photo for ${frameName} is now a short video. You can watch and download it on your private page.`
            : `Your photos for ${frameName} are now ${mailCountText(videoCount, 'short video')}. On your private page you can watch them, download each one, or download them all at once.`}
        </Paragraph>
        <EmailButton href={deliveryUrl}>{isSingleVideo ? 'Watch your video' : 'Watch your videos'}</EmailButton>
        <Paragraph>
          Once your frame is on Wi-Fi and its invitation code is in your account, we’ll send your videos to the frame,
          too.
        </Paragraph>
        <EmailNote>
          {`The page stays open until ${momentText(expiresAt)}. Then we delete your photos and videos, so please download the ones you want to keep. Anyone with the link can watch.`}
        </EmailNote>
      </>
    ),
  };
}

export function composeProofReadyEmail(content: EmailOf<'proof-ready'>): EmailDraft {
  const { firstName, frameName, videoCount, redosPossible, endsAt, proofUrl } = content;
  const isSingleVideo = videoCount === 1;
  return {
    subject: isSingleVideo
      ? `Please look at your video for ${frameName}`
      : `Please look at your ${videoCount} videos for ${frameName}`,
    preview: redosPossible ? 'Keep them, or ask for a different motion.' : 'See them before we deliver them.',
    overline: frameName,
    title: isSingleVideo ? 'Your video, before we deliver it' : 'Your videos, before we deliver them',
    postersUrl: proofUrl,
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          {redosPossible
            ? `${isSingleVideo ? 'Your video' : `Your ${videoCount} videos`} for ${frameName} ${isSingleVideo ? 'is' : 'are'} ready for you to look at. Keep the ones you like, and tell us in a few words if something should move differently.`
            : `${isSingleVideo ? 'Your video' : `Your ${videoCount} videos`} for ${frameName} ${isSingleVideo ? 'is' : 'are'} ready for you to look at before we deliver ${isSingleVideo ? 'it' : 'them'}.`}
        </Paragraph>
        <EmailButton href={proofUrl}>{isSingleVideo ? 'Look at your video' : 'Review your videos'}</EmailButton>
        <EmailNote>
          {`You have until ${momentText(endsAt)}. If we don’t hear from you by then, we’ll deliver the videos as they are. Anyone with the link can decide for you.`}
        </EmailNote>
      </>
    ),
  };
}

export function composeCreditsGivenEmail({
  firstName,
  given,
  credits,
  uploadUrl,
}: EmailOf<'credits-given'>): EmailDraft {
  const title = given === 1 ? 'You can replace a photo' : `You can replace ${mailCountText(given, 'photo')}`;
  const creditsText = credits === given ? '' : ` You have ${mailCountText(credits, 'credit')} now.`;
  return {
    subject: title,
    preview: 'Did a video disappoint you? Replace its photo with a better one.',
    title,
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          {`We gave you ${mailCountText(given, 'reupload credit')}. With each one, you can replace a photo whose video disappointed you, and we’ll make a new video.${creditsText}`}
        </Paragraph>
        <EmailButton href={uploadUrl}>Choose a photo</EmailButton>
        <EmailNote>On your photos page, open the photo and choose “Replace photo”. It’s free.</EmailNote>
      </>
    ),
  };
}

export function composeVideoAgainEmail({
  firstName,
  frameName,
  title,
  deliveryUrl,
  expiresAt,
}: EmailOf<'video-again'>): EmailDraft {
  return {
    subject: `Your new video for ${frameName} is ready`,
    preview: 'With a different motion, as you asked.',
    overline: frameName,
    title: 'Your new video is ready',
    postersUrl: deliveryUrl,
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>{`We made ${title === '' ? 'your video' : `“${title}”`} again with a different motion, as you asked. It’s now on your private page.`}</Paragraph>
        <EmailButton href={deliveryUrl}>Watch it</EmailButton>
        <EmailNote>{`The page stays open until ${momentText(expiresAt)}.`}</EmailNote>
      </>
    ),
  };
}
