/** Letters about what was bought: receipts, the parcel, money back. */
import { momentWords, weekdayWords } from '#contract/calendar.ts';
import { connectionGuide } from '#contract/connection-guide.ts';
import type { Gift } from '#contract/gift-forms.ts';
import type { LetterAddress, LetterOf } from '#contract/letters.ts';
import { Action, Address, AmountsTable, Facts, Note, Quote, Subheading, TextLink, Words } from './paper.tsx';
import type { Draft } from './paper.tsx';
import { count, dayRange, greeting, isWebAddress, listed, money } from './words.ts';

export function receipt(letter: LetterOf<'receipt'>): Draft {
  const { shop, customerFirstName, orderNumber, totalCents, shippingAddress, gift, estimatedDelivery } = letter;
  const { finishRegistrationUrl, isAccountUnconfirmed, uploadUrl, orderUrl } = letter;
  return {
    subject: `Your ${shop.name} order ${orderNumber}`,
    preview: `Thank you. We have received ${money(totalCents)}. Next, choose your photos.`,
    overline: `Order ${orderNumber}`,
    title: 'Thank you for your order',
    picture: gift ? 'gift' : shippingAddress ? 'frame' : 'service',
    body: (
      <>
        <Words>{greeting(customerFirstName)}</Words>
        <Words>
          {`We have your order and your payment of ${money(totalCents)}. The next step is the pleasant one: choosing the photos you would like to see move.`}
        </Words>
        {finishRegistrationUrl && isAccountUnconfirmed ? (
          <>
            <Words>
              There is an account with your e-mail address already, which was never confirmed. Please open the link in
              our other mail: it confirms your address, and this order is in your account. Or choose a new password
              here, which confirms it as well.
            </Words>
            <Action href={finishRegistrationUrl}>Choose a new password</Action>
          </>
        ) : finishRegistrationUrl ? (
          <>
            <Words>First choose a password, so that you can add your photos and come back to them at any time.</Words>
            <Action href={finishRegistrationUrl}>Finish your registration</Action>
          </>
        ) : (
          <Action href={uploadUrl}>Upload your photos</Action>
        )}
        <Words>
          Once you have finalized your photos, we turn them into short videos. This takes 24 to 72 hours, and we write
          to you when they are ready.
        </Words>
        {estimatedDelivery && (
          <Words>{`If you finish your photos ${estimatedDelivery.finishBy ? `by ${weekdayWords(estimatedDelivery.finishBy)}` : 'today'}, we expect your order to arrive ${dayRange(estimatedDelivery)}.`}</Words>
        )}
        {gift && <GiftWords gift={gift} />}
        <Subheading>Your receipt</Subheading>
        <Note>{`Ordered ${momentWords(letter.orderedAt)}`}</Note>
        <AmountsTable {...letter} isShipped={shippingAddress !== undefined} />
        {shippingAddress && <ShippingAddress address={shippingAddress} />}
        <Words>
          <TextLink href={orderUrl}>See your order</TextLink>
          {finishRegistrationUrl && (
            <>
              <br />
              <TextLink href={uploadUrl}>Upload your photos</TextLink>
            </>
          )}
        </Words>
      </>
    ),
  };
}

/** A present, to its giver. */
function GiftWords({ gift: { recipientName, from, message, shipOn } }: { gift: Gift }) {
  const leaves = shipOn ? `on ${weekdayWords(shipOn)}, not before` : 'as soon as it is ready';
  return (
    <>
      <Subheading>{`A gift for ${recipientName}`}</Subheading>
      <Words>{`It leaves us ${leaves}. There are no prices in the parcel, and we write to nobody but you.`}</Words>
      {message && (
        <>
          <Words>{from ? `The card, signed ${from}, says:` : 'The card says:'}</Words>
          <Quote>{message}</Quote>
        </>
      )}
    </>
  );
}

function ShippingAddress({ address }: { address: LetterAddress }) {
  return (
    <>
      <Subheading>Shipping to</Subheading>
      <Address address={address} />
      {address.country === 'CA' && (
        <Note>
          You were charged in US dollars. Canada may ask for duties or taxes when the parcel arrives; they are not part
          of our price.
        </Note>
      )}
    </>
  );
}

export function addonReceipt(letter: LetterOf<'addon-receipt'>): Draft {
  const { customerFirstName, orderNumber, frameNames, packages, photosAdded, totalCents, uploadUrl } = letter;
  const room = `room for ${count(photosAdded, 'more photo')}`;
  const line = { label: 'Photo package (10 photos)', quantity: packages, amountCents: letter.subtotalCents };
  return {
    subject: `Your receipt: ${room}`,
    preview: `${listed(frameNames)} now ${frameNames.length === 1 ? 'has' : 'have'} ${room}. Thank you.`,
    overline: `Order ${orderNumber}`,
    title: `There is ${room}`,
    picture: 'photos',
    body: (
      <>
        <Words>{greeting(customerFirstName)}</Words>
        <Words>
          {`Thank you. We have your payment of ${money(totalCents)}, and ${listed(frameNames)} ${frameNames.length === 1 ? 'has' : 'have'} ${room}. You can add them right away.`}
        </Words>
        <Action href={uploadUrl}>Add photos</Action>
        <Subheading>Your receipt</Subheading>
        <Note>{`Ordered ${momentWords(letter.orderedAt)}`}</Note>
        <AmountsTable {...letter} lines={[line]} />
        {letter.orderUrl && (
          <Words>
            <TextLink href={letter.orderUrl}>See your order</TextLink>
          </Words>
        )}
      </>
    ),
  };
}

export function shipped(letter: LetterOf<'shipped'>): Draft {
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
  } = letter;
  const frames = frameCount === 1 ? 'Your frame is on its way' : `Your ${frameCount} frames are on their way`;
  const title = gift ? `Your gift for ${gift.recipientName} is on its way` : frames;
  // Typed by hand in the admin: a number alone is better than a link that leads nowhere.
  const trackingUrl = tracking?.url && isWebAddress(tracking.url) ? tracking.url : undefined;
  const arrival = estimatedDelivery && `We expect it to arrive ${dayRange(estimatedDelivery)}.`;
  return {
    subject: `${title} (order ${orderNumber})`,
    preview: ['The parcel has left us.', arrival].filter(Boolean).join(' '),
    overline: `Order ${orderNumber}`,
    title,
    picture: gift ? 'gift' : 'frame',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>{['The parcel has left us.', arrival].filter(Boolean).join(' ')}</Words>
        {tracking && <Facts facts={{ Carrier: tracking.carrier, 'Tracking number': tracking.number }} />}
        <Action href={trackingUrl ?? orderUrl}>{trackingUrl ? 'Follow the parcel' : 'See your order'}</Action>
        {shippingAddress && <ShippingAddress address={shippingAddress} />}
        <Words>
          {gift
            ? 'Once it is there, plugged in and on the Wi-Fi, ask for the code that the frame shows. Open your order, choose “Connect the frame” and send it to us: your videos then arrive on it by themselves.'
            : 'When it arrives, plug the frame in and connect it to your Wi-Fi. Then open your order, choose “Connect the frame” and send us the code it shows: your videos then arrive on it by themselves.'}{' '}
          <TextLink href={new URL(connectionGuide.pdfPath, shop.baseUrl).href}>
            How to connect your frame (PDF)
          </TextLink>
        </Words>
        {trackingUrl && (
          <Words>
            <TextLink href={orderUrl}>See your order</TextLink>
          </Words>
        )}
      </>
    ),
  };
}

export function refund(letter: LetterOf<'refund'>): Draft {
  const { firstName, amountCents, orderNumber, reason, photosWithdrawn, orderUrl } = letter;
  return {
    subject: `Your refund of ${money(amountCents)} (order ${orderNumber})`,
    preview: `${money(amountCents)} is on its way back to you.`,
    overline: `Order ${orderNumber}`,
    title: `Your refund of ${money(amountCents)}`,
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>
          {`We have refunded ${money(amountCents)} the way you paid. Banks usually show it within 5 to 10 business days.`}
        </Words>
        {reason && (
          <>
            <Words>The reason we noted:</Words>
            <Quote>{reason}</Quote>
          </>
        )}
        {photosWithdrawn ? (
          <Words>{`The unused room for ${count(photosWithdrawn, 'photo')} that came with it is no longer part of your order.`}</Words>
        ) : null}
        {orderUrl && <Action href={orderUrl}>See your order</Action>}
      </>
    ),
  };
}
