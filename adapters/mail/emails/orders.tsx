/** Emails about orders: receipts, shipping, refunds. */
import { momentText, weekdayText } from '#contract/calendar.ts';
import { connectionGuide } from '#contract/connection-guide.ts';
import type { Gift } from '#contract/gift-forms.ts';
import type { EmailPostalAddress, EmailOf } from '#contract/emails.ts';
import {
  EmailButton,
  Address,
  AmountsTable,
  LabelValueTable,
  EmailNote,
  Quote,
  Subheading,
  TextLink,
  Paragraph,
} from './email-layout.tsx';
import type { EmailDraft } from './email-layout.tsx';
import {
  mailCountText,
  formatDayRange,
  formatGreeting,
  isWebAddress,
  joinWithAnd,
  formatEmailAmount,
} from './email-text.ts';

function giftCardText(totalCents: number, giftCardCents = 0): string {
  if (giftCardCents === 0) return '';
  return giftCardCents === totalCents
    ? ' with a gift card'
    : `, ${formatEmailAmount(giftCardCents)} of it with a gift card`;
}

export function composeReceiptEmail(content: EmailOf<'receipt'>): EmailDraft {
  const { shop, customerFirstName, orderNumber, totalCents, giftCardCents, shippingAddress, gift, estimatedDelivery } =
    content;
  const { finishRegistrationUrl, uploadUrl, orderUrl } = content;
  return {
    subject: `Your ${shop.name} order ${orderNumber}`,
    preview: `Thank you! We’ve received ${formatEmailAmount(totalCents)}. Next, choose your photos.`,
    overline: `Order ${orderNumber}`,
    title: 'Thank you for your order',
    picture: gift ? 'gift' : shippingAddress ? 'frame' : 'service',
    body: (
      <>
        <Paragraph>{formatGreeting(customerFirstName)}</Paragraph>
        <Paragraph>
          {`We have your order and your payment of ${formatEmailAmount(totalCents)}${giftCardText(totalCents, giftCardCents)}. Now for the fun part: choose the photos you’d like to see move.`}
        </Paragraph>
        {finishRegistrationUrl ? (
          <>
            <Paragraph>
              First choose a password, so you can add your photos and come back to them at any time.
            </Paragraph>
            <EmailButton href={finishRegistrationUrl}>Finish your registration</EmailButton>
          </>
        ) : (
          uploadUrl && <EmailButton href={uploadUrl}>Upload your photos</EmailButton>
        )}
        <Paragraph>
          Once you’ve finalized your photos, we turn them into short videos. This takes 24 to 72 hours, and we’ll email
          you when they’re ready.
        </Paragraph>
        {estimatedDelivery && (
          <Paragraph>{`If you finish your photos ${estimatedDelivery.finishBy ? `by ${weekdayText(estimatedDelivery.finishBy)}` : 'today'}, we expect your order to arrive ${formatDayRange(estimatedDelivery)}.`}</Paragraph>
        )}
        {gift && <GiftText gift={gift} />}
        <Subheading>Your receipt</Subheading>
        <EmailNote>{`Ordered ${momentText(content.orderedAt)}`}</EmailNote>
        <AmountsTable {...content} isShipped={shippingAddress !== undefined} />
        {shippingAddress && <ShippingAddress address={shippingAddress} />}
        <Paragraph>
          <TextLink href={orderUrl}>See your order</TextLink>
        </Paragraph>
      </>
    ),
  };
}

/**
 * For a customer whose order was in the account of a different email address. That account now belongs to someone else.
 */
export function composeFinishRegistrationEmail(content: EmailOf<'finish-registration'>): EmailDraft {
  const { shop, firstName, orderNumber, finishRegistrationUrl } = content;
  return {
    subject: `Finish your registration for order ${orderNumber}`,
    preview: 'Choose a password to see your order and photos in your own account.',
    overline: `Order ${orderNumber}`,
    title: 'Your order needs an account',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          {`You placed order ${orderNumber} with this email address, but it was in a ${shop.name} account with a different email address. That account now belongs to someone else, so we moved your order out of it. Your order, photos and videos are safe.`}
        </Paragraph>
        {finishRegistrationUrl ? (
          <>
            <Paragraph>Choose a password to see them in your own account.</Paragraph>
            <EmailButton href={finishRegistrationUrl}>Finish your registration</EmailButton>
          </>
        ) : (
          <Paragraph>It is in your account. Sign in to see it.</Paragraph>
        )}
      </>
    ),
  };
}

/** Details of a gift, for the giver. */
function GiftText({ gift: { recipientName, from, message, shipOn } }: { gift: Gift }) {
  const shipDayText = shipOn ? `on ${weekdayText(shipOn)}` : 'as soon as it is ready';
  return (
    <>
      <Subheading>{`A gift for ${recipientName}`}</Subheading>
      <Paragraph>{`We’ll ship your gift ${shipDayText}. There are no prices in the package, and we only email you.`}</Paragraph>
      {message && (
        <>
          <Paragraph>{from ? `The card is signed ${from} and says:` : 'The card says:'}</Paragraph>
          <Quote>{message}</Quote>
        </>
      )}
    </>
  );
}

function ShippingAddress({ address }: { address: EmailPostalAddress }) {
  return (
    <>
      <Subheading>Shipping to</Subheading>
      <Address address={address} />
      {address.country === 'CA' && (
        <EmailNote>
          You were charged in US dollars. Canada may charge duties or taxes when the package arrives. They aren’t
          included in our price.
        </EmailNote>
      )}
    </>
  );
}

export function composeAddonReceiptEmail(content: EmailOf<'addon-receipt'>): EmailDraft {
  const { customerFirstName, orderNumber, frameNames, packages, photosAdded, totalCents, giftCardCents, uploadUrl } =
    content;
  const roomText = `room for ${mailCountText(photosAdded, 'more photo')}`;
  const line = { label: 'Photo package (10 photos)', quantity: packages, amountCents: content.subtotalCents };
  return {
    subject: `Your receipt: ${roomText}`,
    preview: `${joinWithAnd(frameNames)} now ${frameNames.length === 1 ? 'has' : 'have'} ${roomText}. Thank you.`,
    overline: `Order ${orderNumber}`,
    title: `You have ${roomText}`,
    picture: 'photos',
    body: (
      <>
        <Paragraph>{formatGreeting(customerFirstName)}</Paragraph>
        <Paragraph>
          {`Thank you. We have your payment of ${formatEmailAmount(totalCents)}${giftCardText(totalCents, giftCardCents)}, and ${joinWithAnd(frameNames)} ${frameNames.length === 1 ? 'has' : 'have'} ${roomText}. You can add them right away.`}
        </Paragraph>
        <EmailButton href={uploadUrl}>Add photos</EmailButton>
        <Subheading>Your receipt</Subheading>
        <EmailNote>{`Ordered ${momentText(content.orderedAt)}`}</EmailNote>
        <AmountsTable {...content} lines={[line]} />
        {content.orderUrl && (
          <Paragraph>
            <TextLink href={content.orderUrl}>See your order</TextLink>
          </Paragraph>
        )}
      </>
    ),
  };
}

export function composeShippedEmail(content: EmailOf<'shipped'>): EmailDraft {
  const {
    shop,
    firstName,
    orderNumber,
    frameCount = 1,
    shippingAddress,
    tracking,
    gift,
    estimatedDelivery,
    orderUrl,
  } = content;
  const framesTitle = frameCount === 1 ? 'Your frame is on its way' : `Your ${frameCount} frames are on their way`;
  const title = gift ? `Your gift for ${gift.recipientName} is on its way` : framesTitle;
  // The owner types the URL by hand, so it may be wrong. The tracking number alone is better than a broken link.
  const trackingUrl = tracking?.url && isWebAddress(tracking.url) ? tracking.url : undefined;
  const arrival = estimatedDelivery && `We expect it to arrive ${formatDayRange(estimatedDelivery)}.`;
  return {
    subject: `${title} (order ${orderNumber})`,
    preview: ['Your package has shipped.', arrival].filter(Boolean).join(' '),
    overline: `Order ${orderNumber}`,
    title,
    picture: gift ? 'gift' : 'frame',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>{['Your package has shipped.', arrival].filter(Boolean).join(' ')}</Paragraph>
        {tracking && <LabelValueTable facts={{ Carrier: tracking.carrier, 'Tracking number': tracking.number }} />}
        <EmailButton href={trackingUrl ?? orderUrl}>{trackingUrl ? 'Track the package' : 'See your order'}</EmailButton>
        {shippingAddress && <ShippingAddress address={shippingAddress} />}
        <Paragraph>
          {gift
            ? 'Once the frame is plugged in and on Wi-Fi, ask them for the code it shows. Open your order, choose “Connect the frame” and send us the code. Your videos will then arrive on the frame automatically.'
            : 'When it arrives, plug the frame in and connect it to your Wi-Fi. Then open your order, choose “Connect the frame” and send us the code it shows. Your videos will then arrive on the frame automatically.'}{' '}
          <TextLink href={new URL(connectionGuide.pdfPath, shop.baseUrl).href}>
            How to connect your frame (PDF)
          </TextLink>
        </Paragraph>
        {trackingUrl && (
          <Paragraph>
            <TextLink href={orderUrl}>See your order</TextLink>
          </Paragraph>
        )}
      </>
    ),
  };
}

export function composeAddressChangedEmail(content: EmailOf<'address-changed'>): EmailDraft {
  const { firstName, orderNumber, shippingAddress, orderUrl } = content;
  return {
    subject: `New shipping address for order ${orderNumber}`,
    preview: `We’ll ship your order to ${shippingAddress.city}, ${shippingAddress.state}.`,
    overline: `Order ${orderNumber}`,
    title: 'Your shipping address has changed',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>We changed the shipping address of your order. Nothing else about it has changed.</Paragraph>
        <ShippingAddress address={shippingAddress} />
        <Paragraph>If this isn’t right, please reply to this email before we ship.</Paragraph>
        <EmailButton href={orderUrl}>See your order</EmailButton>
      </>
    ),
  };
}

const photosAfterCanceling = {
  kept: 'We won’t make the videos we hadn’t delivered yet. Your photos and the videos you already have stay in your account until you delete them or the time we keep them is over.',
  erased: 'Your photos and videos for this order are being deleted, and links to them no longer work.',
  none: '',
};

/** Where refunded money goes. `giftCards` are last four characters; the email about a canceled order does not name them. */
function formatRefundText(amountCents: number, giftCardCents: number, giftCards: string[] = []): string {
  const cardCents = amountCents - giftCardCents;
  const cardText = `${formatEmailAmount(cardCents)} to your original payment method. It usually shows up within 5 to 10 business days.`;
  if (giftCardCents === 0) return `We’re refunding ${cardText}`;
  const names = `gift ${giftCards.length > 1 ? 'cards' : 'card'}${giftCards.length > 0 ? ` ending in ${joinWithAnd(giftCards)}` : ''}`;
  const code = giftCards.length > 1 ? 'codes' : 'code';
  const giftCardText = `${formatEmailAmount(giftCardCents)} is back on your ${names}. You can use it right away with the same ${code}.`;
  return cardCents === 0 ? giftCardText : `${giftCardText} We’re refunding ${cardText}`;
}

export function composeOrderCanceledEmail(content: EmailOf<'order-canceled'>): EmailDraft {
  const { firstName, orderNumber, reason, amountCents, giftCardCents = 0, photos, orderUrl } = content;
  return {
    subject: `Your order ${orderNumber} is canceled`,
    preview: `${formatEmailAmount(amountCents)} is on its way back to you.`,
    overline: `Order ${orderNumber}`,
    title: 'Your order is canceled',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>{`We canceled your order. ${formatRefundText(amountCents, giftCardCents)}`}</Paragraph>
        <Paragraph>Reason:</Paragraph>
        <Quote>{reason}</Quote>
        {photos !== 'none' && <Paragraph>{photosAfterCanceling[photos]}</Paragraph>}
        <EmailButton href={orderUrl}>See your order</EmailButton>
      </>
    ),
  };
}

export function composeRefundEmail(content: EmailOf<'refund'>): EmailDraft {
  const { firstName, amountCents, orderNumber, reason, photosWithdrawn, giftCards, orderUrl } = content;
  const giftCardCents = content.giftCardCents ?? (giftCards ? amountCents : 0);
  return {
    subject: `Your refund of ${formatEmailAmount(amountCents)} (order ${orderNumber})`,
    preview:
      giftCardCents === amountCents
        ? `${formatEmailAmount(amountCents)} is back on your gift card.`
        : `${formatEmailAmount(amountCents)} is on its way back to you.`,
    overline: `Order ${orderNumber}`,
    title: `Your refund of ${formatEmailAmount(amountCents)}`,
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>{formatRefundText(amountCents, giftCardCents, giftCards)}</Paragraph>
        {reason && (
          <>
            <Paragraph>Reason:</Paragraph>
            <Quote>{reason}</Quote>
          </>
        )}
        {photosWithdrawn ? (
          <Paragraph>{`The unused room for ${mailCountText(photosWithdrawn, 'photo')} is no longer part of your order.`}</Paragraph>
        ) : null}
        {orderUrl && <EmailButton href={orderUrl}>See your order</EmailButton>}
      </>
    ),
  };
}

export function composePaymentReleasedEmail(content: EmailOf<'payment-released'>): EmailDraft {
  const { firstName, promoCode, framesLeft, isGiftCardLost, checkoutUrl } = content;
  const isSoldOut = framesLeft === 0;
  return {
    subject: 'Your payment didn’t go through',
    preview: isSoldOut
      ? 'You weren’t charged. The Kinframe has just sold out.'
      : 'You weren’t charged. You can go back to checkout with one click.',
    title: 'Your payment didn’t go through',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          You weren’t charged, and there is no order yet. If your bank shows a pending payment, it will disappear on its
          own.
        </Paragraph>
        {promoCode !== undefined && (
          <Paragraph>
            {`Someone who paid a moment earlier got the last use of promo code ${promoCode}. You can still order at the regular price.`}
          </Paragraph>
        )}
        {isGiftCardLost && (
          <Paragraph>
            The money on your gift card was used for another order a moment earlier. You can order with another way to
            pay.
          </Paragraph>
        )}
        {framesLeft !== undefined && (
          <Paragraph>
            {isSoldOut
              ? 'The last Kinframe went to someone who paid a moment earlier. To get an email when it’s back in stock, sign up on the Kinframe page.'
              : `Someone who paid a moment earlier bought the others: we have ${mailCountText(framesLeft, 'frame')} left. You can order fewer.`}
          </Paragraph>
        )}
        <EmailButton href={checkoutUrl}>{isSoldOut ? 'See the Kinframe' : 'Go back to checkout'}</EmailButton>
      </>
    ),
  };
}

export function composeFramesBackEmail({ productUrl }: EmailOf<'frames-back'>): EmailDraft {
  return {
    subject: 'The Kinframe is back',
    preview: 'You asked us to let you know.',
    title: 'The Kinframe is back',
    picture: 'frame',
    body: (
      <>
        <Paragraph>Hello,</Paragraph>
        <Paragraph>
          You asked us to email you when the Kinframe is available again. It is now, while supplies last.
        </Paragraph>
        <EmailButton href={productUrl}>See the Kinframe</EmailButton>
        <EmailNote>
          This is the only email about it, and we have deleted your address from the list. If you didn’t ask for it,
          please ignore this email.
        </EmailNote>
      </>
    ),
  };
}
