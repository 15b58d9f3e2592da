/** The layout of an email: background, colors, and the components for its content. */
import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Hr } from '@react-email/hr';
import { Html } from '@react-email/html';
import { Link } from '@react-email/link';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import { Children } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import type { EmailPostalAddress, EmailLine, EmailShop } from '#contract/emails.ts';
import { contentIdOf, type EmailPicture } from '#shop/ports/mailer.ts';
import type { EmailPictureName } from './pictures.ts';
import { formatCountryName, formatEmailAmount } from './email-text.ts';

/** The content of an email before layout. */
export interface EmailDraft {
  subject: string;
  /** Text that a mail program shows next to the subject in its list of emails. */
  preview: string;
  title: string;
  /** Small text above the title. */
  overline?: string;
  body: ReactNode;
  /** One of the shop's own pictures. Not shown if there are posters of the customer's videos. */
  picture?: EmailPictureName;
  /** The page that the posters link to. */
  postersUrl?: string;
  /** True for an email to the owner. It has a plain layout, because the owner reads it to act on it. */
  isToOwner?: boolean;
}

const colors = {
  paper: '#faf6ef',
  mat: '#fffdf9',
  ink: '#2b2420',
  soft: '#6b5d52',
  line: '#e3d7c6',
  accent: '#b4532a',
};
const serif = "Fraunces, Georgia, 'Iowan Old Style', 'Times New Roman', serif";
const sans = "Figtree, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/** Dark colors for mail programs that support dark mode. Other mail programs invert the colors themselves. */
const css = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  a { text-underline-offset: 2px; }
  @media (max-width: 480px) {
    .email { padding: 28px 20px 36px !important; }
    .titled { padding: 26px 16px 28px !important; }
    .title { font-size: 27px !important; }
    .picture { margin-left: -20px !important; margin-right: -20px !important; }
    .button { display: block !important; text-align: center !important; }
  }
  @media (prefers-color-scheme: dark) {
    .paper, .paper > table > tbody > tr > td { background-color: #1f1a17 !important; }
    .frame { border-color: #4a3d34 !important; }
    .mat { background-color: #2a231f !important; border-color: #4a3d34 !important; }
    .ink, .ink td, .ink th, .title { color: #f4ece1 !important; }
    .soft, .soft td, .soft th, .ink .soft, .ink .soft td { color: #c3b5a5 !important; }
    .link, .overline { color: #e79a72 !important; }
    .quote { border-color: #e79a72 !important; }
    .line, .line td, .line th { border-color: #4a3d34 !important; }
  }
`;

const textStyle: CSSProperties = {
  margin: '0 0 18px',
  fontFamily: sans,
  fontSize: '17px',
  lineHeight: '1.6',
  color: colors.ink,
  // A long name without spaces must not make the email wider than a phone's screen.
  wordBreak: 'break-word',
};
const smallTextStyle: CSSProperties = {
  ...textStyle,
  margin: '0 0 8px',
  fontSize: '14px',
  lineHeight: '1.55',
  color: colors.soft,
};
const cellStyle: CSSProperties = {
  ...textStyle,
  margin: 0,
  fontSize: '16px',
  lineHeight: '1.45',
  padding: '9px 0',
  verticalAlign: 'top',
};

interface PaperProps {
  shop: EmailShop;
  draft: EmailDraft;
  mark?: EmailPicture | undefined;
  picture?: EmailPicture | undefined;
  posters: EmailPicture[];
}
export function EmailLayout({ shop, draft, mark, picture, posters }: PaperProps) {
  return (
    <Html lang="en">
      <Head>
        <title>{draft.subject}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        {/* Disables automatic links for addresses, dates and numbers: their blue breaks the layout. */}
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no" />
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </Head>
      <Body className="paper" style={{ backgroundColor: colors.paper, margin: 0, padding: 0 }}>
        <PreviewText text={draft.preview} />
        <Container className="email" style={{ maxWidth: '560px', padding: '40px 24px 48px' }}>
          <Wordmark shop={shop} mark={mark} />
          {picture && <Scene picture={picture} />}
          {posters.length > 0 && <Posters posters={posters} url={draft.postersUrl} />}
          <EmailBody
            shop={shop}
            draft={draft}
            isFramed={!draft.isToOwner && picture === undefined && posters.length === 0}
          />
        </Container>
      </Body>
    </Html>
  );
}

/**
 * Text that a mail program shows next to the subject in its list of emails. Invisible spaces follow the text; without
 * them, the list would also show the beginning of the body.
 */
const PreviewText = ({ text }: { text: string }) => (
  <div
    data-skip-in-text="true"
    style={{ display: 'none', overflow: 'hidden', lineHeight: '1px', opacity: 0, maxHeight: 0, maxWidth: 0 }}
  >
    {text}
    <div dangerouslySetInnerHTML={{ __html: previewFiller }} />
  </div>
);
/** 150 pairs of a no-break space and a zero-width character, in six lines. */
const previewFiller = `\n${'&nbsp;&zwnj;'.repeat(25)}`.repeat(6);

/** The visible content of an email. The text part is made from the same content. */
export function EmailBody({ shop, draft, isFramed }: Pick<PaperProps, 'shop' | 'draft'> & { isFramed: boolean }) {
  return (
    <>
      {isFramed ? <FramedTitle draft={draft} /> : <PlainTitle draft={draft} />}
      {draft.body}
      <Footer shop={shop} isToOwner={draft.isToOwner ?? false} />
    </>
  );
}

function Wordmark({ shop, mark }: Pick<PaperProps, 'shop' | 'mark'>) {
  return (
    <Section data-skip-in-text="true">
      <Text style={{ margin: '0 0 22px', fontFamily: serif, fontSize: '21px', lineHeight: '1.2' }}>
        <Link href={shop.baseUrl} className="ink" style={{ color: colors.ink, textDecoration: 'none' }}>
          {mark && (
            <EmbeddedPicture
              picture={mark}
              width={32}
              style={{ display: 'inline-block', borderRadius: '7px', marginRight: '11px', verticalAlign: 'middle' }}
            />
          )}
          {shop.name}
        </Link>
      </Text>
    </Section>
  );
}

/** @param width in pixels, for mail programs without CSS */
function EmbeddedPicture({ picture, width, style }: { picture: EmailPicture; width: number; style: CSSProperties }) {
  const src = `cid:${contentIdOf(picture)}`;
  // React adds a preload link to the head for each image that does not have low priority. Preload links do not work in
  // emails.
  return <img src={src} fetchPriority="low" alt={picture.alt} width={width} style={{ border: 0, ...style }} />;
}
/**
 * Makes a picture as wide as its parent. The font is for the alternative text, which is shown when the picture is not.
 */
const wideImageStyle: CSSProperties = {
  display: 'block',
  width: '100%',
  height: 'auto',
  fontFamily: sans,
  fontSize: '14px',
  lineHeight: '1.5',
  color: colors.soft,
};

/** A picture of the product. */
function Scene({ picture }: { picture: EmailPicture }) {
  return (
    <div className="picture" data-skip-in-text="true" style={{ margin: '0 0 28px' }}>
      <EmbeddedPicture picture={picture} width={512} style={wideImageStyle} />
    </div>
  );
}

/** Posters of the customer's videos in frames: one large, the others below it. */
function Posters({ posters: [first, ...others], url }: { posters: EmailPicture[]; url: string | undefined }) {
  return (
    <Section data-skip-in-text="true" style={{ margin: '0 0 28px' }}>
      {first && <FramedPoster picture={first} width={474} border={7} url={url} />}
      {others.length > 0 && (
        <table cellPadding={0} cellSpacing={0} width="100%" style={{ borderCollapse: 'collapse', marginTop: '12px' }}>
          <tbody>
            <tr>
              {others.map((it, at) => (
                <td
                  key={it.name}
                  width={`${100 / others.length}%`}
                  style={{ padding: at === 0 ? '0 6px 0 0' : '0 0 0 6px' }}
                >
                  <FramedPoster picture={it} width={230} border={4} url={url} />
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      )}
    </Section>
  );
}

function FramedPoster({ picture, width, border, url }: FramedPosterProps) {
  const poster = <EmbeddedPicture picture={picture} width={width} style={wideImageStyle} />;
  return (
    <div className="frame" style={{ border: `${border}px solid ${colors.ink}` }}>
      <div
        className="mat"
        style={{ backgroundColor: colors.mat, border: `1px solid ${colors.line}`, padding: `${border * 2}px` }}
      >
        {url ? <Link href={url}>{poster}</Link> : poster}
      </div>
    </div>
  );
}
interface FramedPosterProps {
  picture: EmailPicture;
  width: number;
  border: number;
  url: string | undefined;
}

/** The title in a frame with a mat. */
function FramedTitle({ draft }: { draft: EmailDraft }) {
  return (
    <Section className="frame" style={{ border: `7px solid ${colors.ink}`, margin: '0 0 32px' }}>
      <Section
        className="mat titled"
        style={{
          backgroundColor: colors.mat,
          border: `1px solid ${colors.line}`,
          padding: '34px 28px 36px',
          textAlign: 'center',
        }}
      >
        <Titles draft={draft} />
      </Section>
    </Section>
  );
}

function PlainTitle({ draft }: { draft: EmailDraft }) {
  return (
    <Section style={{ margin: draft.isToOwner ? '0 0 20px' : '0 0 24px' }}>
      <Titles draft={draft} />
    </Section>
  );
}

function Titles({ draft }: { draft: EmailDraft }) {
  return (
    <>
      {draft.overline && (
        <Text
          className="overline"
          style={{
            ...smallTextStyle,
            margin: '0 0 10px',
            color: colors.accent,
            letterSpacing: '0.02em',
            fontWeight: 600,
          }}
        >
          {draft.overline}
        </Text>
      )}
      <Heading
        as="h1"
        className="title"
        style={{
          margin: 0,
          fontFamily: serif,
          fontSize: draft.isToOwner ? '26px' : '32px',
          lineHeight: '1.2',
          fontWeight: 500,
          color: colors.ink,
          wordBreak: 'break-word',
          textWrap: 'balance',
        }}
      >
        {draft.title}
      </Heading>
    </>
  );
}

function Footer({ shop, isToOwner }: { shop: EmailShop; isToOwner: boolean }) {
  return (
    <Section>
      <Hr className="line" style={{ border: 'none', borderTop: `1px solid ${colors.line}`, margin: '36px 0 24px' }} />
      {!isToOwner && (
        <Text className="soft" style={smallTextStyle}>
          {'Questions, or something not right? Write to '}
          <MailLink address={shop.supportEmail} />
          {' and a person will answer.'}
        </Text>
      )}
      <Text className="soft" style={{ ...smallTextStyle, margin: 0 }}>
        {isToOwner ? `You’re getting this because you own ${shop.name}.` : shop.name}
        <br />
        <Link href={shop.baseUrl} className="site soft" style={{ color: colors.soft, textDecoration: 'underline' }}>
          {new URL(shop.baseUrl).host}
        </Link>
        {shop.postalAddress && (
          <>
            <br />
            {shop.postalAddress}
          </>
        )}
      </Text>
    </Section>
  );
}

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <Text className="ink" style={textStyle}>
      {children}
    </Text>
  );
}

/** Additional information in softer color. */
export function EmailNote({ children }: { children: ReactNode }) {
  return (
    <Text className="soft" style={{ ...textStyle, fontSize: '15px', color: colors.soft }}>
      {children}
    </Text>
  );
}

/** A code that the reader types in. It stays on one line. */
export function EmailCode({ children }: { children: string }) {
  return (
    <Text className="ink" style={{ ...textStyle, fontSize: '22px', fontWeight: 600, whiteSpace: 'nowrap' }}>
      {children}
    </Text>
  );
}

/** The only button of an email. */
export function EmailButton({ href, children }: { href: string; children: string }) {
  return (
    <Section style={{ margin: '10px 0 28px' }}>
      <Button
        href={href}
        className="button"
        style={{
          backgroundColor: colors.accent,
          borderRadius: '4px',
          color: '#ffffff',
          fontFamily: sans,
          fontSize: '17px',
          fontWeight: 600,
          padding: '15px 30px',
        }}
      >
        {children}
      </Button>
    </Section>
  );
}

export function TextLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="link" style={{ color: colors.accent, textDecoration: 'underline' }}>
      {children}
    </Link>
  );
}

export function MailLink({ address }: { address: string }) {
  return <TextLink href={`mailto:${address}`}>{address}</TextLink>;
}

export function Subheading({ children }: { children: string }) {
  return (
    <Heading
      as="h2"
      className="ink"
      style={{
        margin: '30px 0 8px',
        fontFamily: serif,
        fontSize: '20px',
        lineHeight: '1.3',
        fontWeight: 500,
        color: colors.ink,
      }}
    >
      {children}
    </Heading>
  );
}

export interface EmailAmounts {
  lines: EmailLine[];
  subtotalCents: number;
  discountCents?: number | undefined;
  discountLabel?: string | undefined;
  /** Undefined if the tax is not known. The total is then without tax. */
  taxCents?: number | undefined;
  taxLabel?: string | undefined;
  totalCents: number;
  /** The part of the total that gift cards pay. */
  giftCardCents?: number | undefined;
  /** Whether a frame is shipped. If so, a row for free shipping is shown. */
  isShipped?: boolean;
}

/** A table of the items, their amounts and the total. */
export function AmountsTable({
  lines,
  subtotalCents,
  discountCents,
  discountLabel,
  taxCents,
  taxLabel,
  totalCents,
  giftCardCents,
  isShipped,
}: EmailAmounts) {
  const discount = discountCents
    ? [[discountLabel ? `Discount (${discountLabel})` : 'Discount', formatEmailAmount(-discountCents)]]
    : [];
  const sums = [
    ['Subtotal', formatEmailAmount(subtotalCents)],
    ...discount,
    ...(isShipped ? [['Shipping', 'Free']] : []),
    ...(taxCents === undefined ? [] : [[taxLabel ? `Tax (${taxLabel})` : 'Tax', formatEmailAmount(taxCents)]]),
  ];
  const giftCardRows = giftCardCents
    ? [
        ['Gift card', formatEmailAmount(-giftCardCents)],
        ...(giftCardCents < totalCents ? [['Paid by card', formatEmailAmount(totalCents - giftCardCents)]] : []),
      ]
    : [];
  const ruledCell: CSSProperties = { ...cellStyle, borderBottom: `1px solid ${colors.line}` };
  const rightAlignedCell: CSSProperties = { textAlign: 'right', whiteSpace: 'nowrap', paddingLeft: '16px' };
  const totalCell: CSSProperties = {
    ...cellStyle,
    fontFamily: serif,
    fontSize: '20px',
    borderTop: `1px solid ${colors.ink}`,
    paddingTop: '14px',
  };
  return (
    <table className="ink line" cellPadding={0} cellSpacing={0} width="100%" style={tableStyle}>
      <tbody>
        {lines.map(({ label, quantity, amountCents }) => (
          <tr key={`${label} ${amountCents}`}>
            <td style={ruledCell}>{quantity === 1 ? label : `${label} × ${quantity}`}</td>
            <td style={{ ...ruledCell, ...rightAlignedCell }}>{formatEmailAmount(amountCents)}</td>
          </tr>
        ))}
        {sums.map(([label, amount]) => (
          <tr key={label} className="soft">
            <td style={{ ...cellStyle, padding: '7px 0', color: colors.soft }}>{label}</td>
            <td style={{ ...cellStyle, ...rightAlignedCell, padding: '7px 0 7px 16px', color: colors.soft }}>
              {amount}
            </td>
          </tr>
        ))}
        <tr>
          <td style={totalCell}>{taxCents === undefined ? 'Total before tax' : 'Total'}</td>
          <td style={{ ...totalCell, ...rightAlignedCell }}>{formatEmailAmount(totalCents)}</td>
        </tr>
        {giftCardRows.map(([label, amount]) => (
          <tr key={label} className="soft">
            <td style={{ ...cellStyle, padding: '7px 0', color: colors.soft }}>{label}</td>
            <td style={{ ...cellStyle, ...rightAlignedCell, padding: '7px 0 7px 16px', color: colors.soft }}>
              {amount}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const tableStyle: CSSProperties = { borderCollapse: 'collapse', width: '100%', margin: '4px 0 26px' };

/** One row for each label and value; rows without a value are left out. */
export function LabelValueTable({ facts }: { facts: Record<string, ReactNode> }) {
  const knownFacts = Object.entries(facts).filter(([, value]) => value !== undefined && value !== '');
  return (
    <table className="ink line" cellPadding={0} cellSpacing={0} width="100%" style={tableStyle}>
      <tbody>
        {knownFacts.map(([label, value]) => (
          <tr key={label}>
            <td
              className="soft"
              style={{
                ...cellStyle,
                color: colors.soft,
                width: '34%',
                paddingRight: '16px',
                borderBottom: `1px solid ${colors.line}`,
              }}
            >
              {label}
            </td>
            <td style={{ ...cellStyle, borderBottom: `1px solid ${colors.line}` }}>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Address({ address }: { address: EmailPostalAddress }) {
  const { name, line1, line2, city, state, postalCode, country: code } = address;
  return (
    <Text className="ink" style={{ ...textStyle, fontSize: '16px' }}>
      <Lines
        lines={[name, line1, ...(line2 ? [line2] : []), `${city}, ${state} ${postalCode}`, formatCountryName(code)]}
      />
    </Text>
  );
}

/** Text that a person wrote, unchanged. */
export function Quote({ children }: { children: string }) {
  return (
    <blockquote
      className="quote"
      style={{ margin: '0 0 26px', padding: '2px 0 2px 20px', borderLeft: `3px solid ${colors.accent}` }}
    >
      <Text className="ink" style={{ ...textStyle, margin: 0 }}>
        <Lines lines={children.split('\n')} />
      </Text>
    </blockquote>
  );
}

function Lines({ lines }: { lines: string[] }) {
  return Children.toArray(lines.flatMap((line, i) => (i === 0 ? [line] : [<br key="break" />, line])));
}
