/**
 * The longer side, in pixels, to which a picture is scaled down. A code on a fifth of the picture is still readable.
 */
const mostPixelsPerSide = 1600;

/** Returns the text of the QR code in a picture. Undefined if no code can be read. */
export async function readQr(picture: Blob): Promise<string | undefined> {
  try {
    const { default: decodeQr } = await import('qr/decode.js');
    const bitmap = await createImageBitmap(picture);
    const scale = Math.min(1, mostPixelsPerSide / Math.max(bitmap.width, bitmap.height));
    const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)];
    const canvasContext = new OffscreenCanvas(width, height).getContext('2d')!;
    canvasContext.drawImage(bitmap, 0, 0, width, height);
    bitmap.close();
    return decodeQr(canvasContext.getImageData(0, 0, width, height), { timeLimit: 2000 }).trim() || undefined;
  } catch {
    return undefined; // the picture has no code, the code is blurred, or this browser cannot decode the picture
  }
}
