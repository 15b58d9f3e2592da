import { GlobalFonts, PDFDocument, type SKRSContext2D } from '@napi-rs/canvas';
import { connectionGuide } from '#contract/connection-guide.ts';
import { serveJobsOfParent } from '../processes/child-side.ts';
import type { GuideResult, GuideJob } from './guide-pdf.ts';
import { wrapText, type TextStyle } from './text-lines.ts';

// US Letter in points. The content also fits on A4.
const pageSize = { width: 612, height: 792 };
const leftMargin = 66;
const textWidth = pageSize.width - 2 * leftMargin;
const colors = { ink: '#2b2420', muted: '#685b51', accent: '#8f3f1d', accentSoft: '#f6e1d5', hair: '#e4d8c7' };
const formatSerifFont = (size: number) => `${size}px "Guide Serif"`;
const formatSansFont = (size: number, weight = 400) => `${weight} ${size}px "Guide Sans"`;

serveJobsOfParent(async (job: GuideJob): Promise<GuideResult> => ({ base64: drawGuide(job).toString('base64') }));

function drawGuide(job: GuideJob): Buffer {
  GlobalFonts.registerFromPath(job.serif, 'Guide Serif');
  GlobalFonts.registerFromPath(job.sans, 'Guide Sans');
  const { title, lede, steps, help } = connectionGuide;
  const pdf = new PDFDocument({ title, author: job.shopName, creator: job.shopName });
  // The package's types declare a browser's canvas context as the result, but the result is the package's own context.
  const page = pdf.beginPage(pageSize.width, pageSize.height) as SKRSContext2D;
  // No ligatures: a PDF does not map a ligature to its letters, so "find" could not be searched, copied or read aloud.
  page.fontVariantLigatures = 'none';
  let y = 78;
  /** Adds a paragraph below the existing content. */
  const drawText = (words: string, style: TextStyle, x = leftMargin) => {
    for (const line of wrapText(page, words, { ...style, width: leftMargin + textWidth - x })) {
      y += style.leading;
      page.fillStyle = style.color ?? colors.ink;
      page.fillText(line, x, y, leftMargin + textWidth - x);
    }
  };
  drawText(job.shopName, { font: formatSerifFont(15), leading: 15, color: colors.accent });
  y += 8;
  drawText(title, { font: formatSerifFont(29), leading: 34 });
  y += 8;
  drawText(lede, { font: formatSansFont(12.5), leading: 19, color: colors.muted });
  y += 24;
  for (const [index, step] of steps.entries()) {
    drawStepNumber(page, index + 1, y + 13);
    drawText(step.title, { font: formatSerifFont(15.5), leading: 18 }, leftMargin + 44);
    y += 3;
    drawText(step.words, { font: formatSansFont(11.5), leading: 17 }, leftMargin + 44);
    y += 16;
  }
  page.fillStyle = colors.hair;
  page.fillRect(leftMargin, y, textWidth, 0.75);
  y += 14;
  drawText(help.title, { font: formatSerifFont(15.5), leading: 18 });
  y += 3;
  drawText(help.before, { font: formatSansFont(11.5), leading: 17 });
  drawText(job.supportEmail, { font: formatSansFont(11.5, 600), leading: 17, color: colors.accent });
  drawText(help.after, { font: formatSansFont(11.5), leading: 17 });
  pdf.endPage();
  return pdf.close();
}

type Page = SKRSContext2D;

function drawStepNumber(page: Page, value: number, y: number): void {
  page.fillStyle = colors.accentSoft;
  page.beginPath();
  page.arc(leftMargin + 15, y, 15, 0, 2 * Math.PI);
  page.fill();
  page.fillStyle = colors.accent;
  page.font = formatSerifFont(15.5);
  page.textAlign = 'center';
  page.fillText(String(value), leftMargin + 15, y + 5.5);
  page.textAlign = 'left';
}
