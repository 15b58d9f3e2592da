import { lifetimes } from '#contract/limits.ts';
import { useSite } from '../../data/site.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Policy, type PolicyPart } from './policy.tsx';

export function PrivacyPage() {
  const site = useSite();
  return (
    <Policy
      title="Privacy Policy"
      lede={`Your photos are the most personal thing you could hand to a shop. This page says what ${site.name} collects, why, how long we keep it, and what you can ask of us.`}
      parts={createPolicyPartsFor(site.name, site.contactEmail)}
    />
  );
}

const createPolicyPartsFor = (shop: string, email: string): PolicyPart[] => [
  {
    id: 'what-we-collect',
    title: 'What we collect',
    body: (
      <ul>
        <li>
          <strong>Your details:</strong> name, email address, phone number if you give one, and a shipping address if we
          ship you something.
        </li>
        <li>
          <strong>Your orders:</strong> what you bought, what it cost, its status and our correspondence about it.
        </li>
        <li>
          <strong>Your photos,</strong> the videos made from them, and how to reach your frame (an invite code or QR
          picture), if you connect one.
        </li>
        <li>
          <strong>A photo you try for free,</strong> without an account, and the video made from it. If you ask us to
          email you the link to it, we use your email address once. To limit how many photos one internet connection can
          try, we store a code computed from your network’s address, not the address itself, and the same for the email
          address.
        </li>
        <li>
          <strong>Your reviews,</strong> if you write any: stars, text and the name you choose, which everyone can read
          once we show them, and the one video that you let us show with them.
        </li>
        <li>
          <strong>Your returns,</strong> if you ask for any: the reason, what you write, and a photo if you add one.
          Only you and we can see them.
        </li>
        <li>
          <strong>Page visits:</strong> which page you opened, which page you came from, and what browser you use. We
          don’t store your IP address with them.
        </li>
      </ul>
    ),
  },
  {
    id: 'photos',
    title: 'Your photos and videos',
    body: (
      <>
        <p>
          We use them for one purpose: to make your videos and deliver them to you. They are not used for advertising,
          not shown in our gallery, not sold, and not used to train anything. We show a video with your review only if
          you choose one, and remove it whenever you ask.
        </p>
        <p>
          What you upload is stored privately as you sent it. Every copy we make from it for display has its location
          and camera data removed. Photos and videos are deleted {lifetimes.deliveryDays} days after delivery, and we
          email you before that. Please download the videos you want to keep, or ask us to keep them for you.
        </p>
        <p>
          In plain words:{' '}
          <Link to={paths.yourPhotos} className="link">
            how we keep your photos private
          </Link>
          .
        </p>
        <p>
          Upload only pictures you may share with us, and think of the people in them. If someone asks us to remove a
          picture of themselves, we’ll contact you.
        </p>
      </>
    ),
  },
  {
    id: 'orders-by-phone',
    title: 'Orders by phone',
    body: (
      <p>
        If you order by phone, we enter what you tell us and send you a payment link. It opens the checkout with your
        details. Anyone who has the link can open it, so please do not forward it. It ends after{' '}
        {lifetimes.phoneOrderDays} days, or when you pay. We delete what we entered {lifetimes.phoneOrderKeptDays} days
        after that. A paid order is kept like any other.
      </p>
    ),
  },
  {
    id: 'cart-reminders',
    title: 'Emails about a cart you left',
    body: (
      <>
        <p>
          If you enter your email address at checkout, go on to the payment and leave without paying, we may email you
          about your cart: once after two hours and once more after two days. The email has a link that opens the
          checkout with what you entered. Anyone who has the email can open it, so please do not forward it. The link
          ends after {lifetimes.cartLinkDays} days, or when you buy.
        </p>
        <p>
          We send no such email after you have bought or deleted your account, and none after you unsubscribe with the
          link in the email. We delete the details you entered {lifetimes.abandonedCartDays} days after you left. For 13
          months we keep when we emailed you and whether you came back or bought, with a code computed from your email
          address, not the address itself. If you unsubscribe, we keep that code, so that we remember it.
        </p>
      </>
    ),
  },
  {
    id: 'gift-cards',
    title: 'Gift cards',
    body: (
      <p>
        If you buy a gift card, we use the recipient’s name and email address only to deliver it. We send the recipient
        that one email, on the day you choose. We keep the code only in a form that cannot be read back. If you delete
        your account, your name, the recipient and the message are deleted too, once the card is delivered. The money on
        the card stays the recipient’s.
      </p>
    ),
  },
  {
    id: 'payments',
    title: 'Payments',
    body: (
      <p>
        Cards are handled by our payment provider, Stripe. Your card number goes from your browser to Stripe and never
        reaches our servers. We keep the amount, the outcome and Stripe’s reference.
      </p>
    ),
  },
  {
    id: 'sharing',
    title: 'Who else sees your data',
    body: (
      <>
        <p>Only those who need it to do their part, and only that part:</p>
        <ul>
          <li>the payment provider, to charge and refund;</li>
          <li>the carrier, who needs your name and address to deliver;</li>
          <li>the email and hosting services our shop uses;</li>
          <li>your frame’s own cloud service, when we send your videos to it at your request;</li>
          <li>authorities, where the law requires it.</li>
        </ul>
        <p>We don’t sell personal data, and we don’t share it for advertising.</p>
      </>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies',
    body: (
      <p>
        We set only the cookies the shop needs: one that keeps you signed in, one that ties a checkout to your browser
        while you pay, and where you open a link to add photos or to see videos, one that remembers that link. If you
        try a photo for free, the cookie “trial” shows us that the photo and its video are yours. If you open a link to
        a free video, a cookie whose name starts with “trial-view-” lets your browser play it. Both last up to{' '}
        {lifetimes.trialHours} hours. Your browser’s storage holds the details you typed at checkout and where you were
        until you close it, and, for longer, when an order was paid, so that no other tab pays it again. There are no
        advertising or third-party analytics cookies.
      </p>
    ),
  },
  {
    id: 'how-long',
    title: 'How long we keep it',
    body: (
      <ul>
        <li>Order history: typically 7 years, as tax and commercial law require.</li>
        <li>
          Photos and videos: {lifetimes.deliveryDays} days after delivery, or {lifetimes.keptYears} years if you ask us
          to keep them.
        </li>
        <li>
          A photo you try for free, and its video: {lifetimes.trialHours} hours, or until you delete them. Our backups
          leave them out. We delete an email address you give us for the link as soon as the email is sent, or with the
          video. We delete the code for your network after a day, and the code for your email address within two hours.
          We count for 13 months that a photo was tried, and whether an order followed.
        </li>
        <li>Reviews: until you delete them with the link in our review email, or delete your account.</li>
        <li>
          An email address you leave to hear when the Kinframe is back: until we send that email, at most{' '}
          {lifetimes.stockWaiterMonths} months.
        </li>
        <li>Support requests: {lifetimes.supportRequestMonths / 12} years.</li>
        <li>
          Returns: a photo and a shipping label {lifetimes.returnFilesDays} days after the last change, everything else
          with the order.
        </li>
        <li>Page visits: 13 months.</li>
        <li>Links we email you (uploads, confirmation, password reset): until they are used or expire.</li>
      </ul>
    ),
  },
  {
    id: 'security',
    title: 'Security',
    body: (
      <p>
        Connections are encrypted, passwords are stored only as strong hashes, and photos can be opened only by you, by
        people you gave an upload link to, and by the few of us who work on them. A video you made for free can be
        watched by anyone who has the link we emailed. No system is perfect; if something affects your data, we’ll tell
        you.
      </p>
    ),
  },
  {
    id: 'your-rights',
    title: 'Your choices and rights',
    body: (
      <>
        <p>
          You can ask for a copy of your data, have it corrected, or have it deleted. When we delete an account, we
          delete its photos and videos first. We remove your name from the order records that the law requires us to
          keep. We only send text messages if you agreed, and you can reply STOP to end them.
        </p>
        <p>
          Write to{' '}
          <a href={`mailto:${email}`} className="link">
            {email}
          </a>{' '}
          or use the{' '}
          <Link to={paths.contact} className="link">
            contact form
          </Link>
          . We answer within 30 days, usually much sooner.
        </p>
      </>
    ),
  },
  {
    id: 'children',
    title: 'Children',
    body: (
      <p>
        {shop} is not for children under 13, and we don’t knowingly collect data from them. Photos of children may be
        uploaded by the adults responsible for them.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to this policy',
    body: (
      <p>
        When this policy changes, the date at the top changes with it. If a change affects data we already have, we’ll
        email you before it takes effect.
      </p>
    ),
  },
];
