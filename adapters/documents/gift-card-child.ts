import { GlobalFonts, PDFDocument, type SKRSContext2D } from '@napi-rs/canvas';
import { formatDollars } from '#contract/catalog.ts';
import { serveJobsOfParent } from '../processes/child-side.ts';
import type { GiftCardAnswer, GiftCardJob } from './gift-card-pdf.ts';
import { wrapText, type TextStyle } from './text-lines.ts';

// US Letter in points. The card fills the upper half, so that the sheet can be folded once.
const pageSize = { width: 612, height: 792 };
const card = { left: 56, top: 56, width: 500, height: 330 };
const leftMargin = card.left + 36;
const textWidth = card.width - 72;
const colors = { paper: '#faf6ef', ink: '#2b2420', muted: '#685b51', accent: '#8f3f1d', hair: '#e4d8c7' };
const formatSerifFont = (size: number) => `${size}px "Card Serif"`;
const formatSansFont = (size: number, weight = 400) => `${weight} ${size}px "Card Sans"`;

serveJobsOfParent(async (job: GiftCardJob): Promise<GiftCardAnswer> => ({
  base64: drawGiftCard(job).toString('base64'),
}));

function drawGiftCard(job: GiftCardJob): Buffer {
  GlobalFonts.registerFromPath(job.serif, 'Card Serif');
  GlobalFonts.registerFromPath(job.sans, 'Card Sans');
  const { shopName, recipientName, senderName, message, codeText, isForFrame, amountCents, address } = job;
  const pdf = new PDFDocument({ title: `${shopName} gift card`, author: shopName, creator: shopName });
  // The package's types declare a browser's canvas context as the result, but the result is the package's own context.
  const page = pdf.beginPage(pageSize.width, pageSize.height) as SKRSContext2D;
  // No ligatures: a PDF does not map a ligature to its letters, so the text could not be searched or read aloud.
  page.fontVariantLigatures = 'none';
  page.fillStyle = colors.paper;
  page.fillRect(card.left, card.top, card.width, card.height);
  page.strokeStyle = colors.hair;
  page.strokeRect(card.left + 8, card.top + 8, card.width - 16, card.height - 16);
  let y = card.top + 30;
  const drawText = (words: string, style: TextStyle, most = Infinity) => {
    for (const line of wrapText(page, words, { ...style, width: textWidth }).slice(0, most)) {
      y += style.leading;
      page.fillStyle = style.color ?? colors.ink;
      page.fillText(line, leftMargin, y, textWidth);
    }
  };
  drawText(`${shopName} gift card`, { font: formatSerifFont(15), leading: 18, color: colors.accent });
  y += 6;
  drawText(isForFrame ? 'One Kinframe' : formatDollars(amountCents), { font: formatSerifFont(40), leading: 46 });
  y += 4;
  drawText(`For ${recipientName}`, { font: formatSansFont(13, 600), leading: 18 }, 2);
  if (message) drawText(message, { font: formatSerifFont(13.5), leading: 18.5 }, 6);
  drawText(`From ${senderName}`, { font: formatSansFont(12), leading: 20, color: colors.muted }, 1);
  page.fillStyle = colors.muted;
  page.font = formatSansFont(10.5);
  page.fillText('Your code', leftMargin, card.top + card.height - 62);
  page.fillStyle = colors.ink;
  page.font = formatSansFont(22, 600);
  page.fillText(codeText, leftMargin, card.top + card.height - 36, textWidth);
  y = card.top + card.height + 30;
  const steps = [
    isForFrame
      ? `This card is worth ${formatDollars(amountCents)}, the price of a Kinframe. Sales tax may be added at checkout.`
      : `This card is worth ${formatDollars(amountCents)}.`,
    'To use it, choose a frame, go to checkout and enter the code under “Gift card”. You can use it in parts.',
    `It never expires. Check the balance at ${address}.`,
    `Keep the code secret. Anyone who has it can use the card. Questions? ${job.supportEmail}`,
  ];
  for (const text of steps) {
    drawText(text, { font: formatSansFont(11.5), leading: 17, color: colors.muted });
    y += 5;
  }
  pdf.endPage();
  return pdf.close();
}
