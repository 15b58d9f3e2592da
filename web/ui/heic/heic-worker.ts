/**
 * Decodes a HEIC file to a small picture, with the decoder that the server uses too. The decoder is two megabytes of
 * WebAssembly and loads with the first HEIC file. The worker receives the file, and posts a picture, or undefined if
 * decoding fails. Each worker decodes one file, so that the end of the worker frees the memory.
 */
import libheif from 'libheif-js/wasm-bundle.js';

/** The length of the longer side in pixels: the size of a photo in the grid on a high-resolution screen. */
const longestSide = 480;
/** The most pixels that are decoded. A pixel needs four bytes, and a phone has little memory. */
const mostPixels = 50e6;

async function drawPreview(file: Blob): Promise<Blob | undefined> {
  await libheif.ready;
  const images = new libheif.HeifDecoder().decode(new Uint8Array(await file.arrayBuffer()));
  const primaryImage = images.find((it) => it.is_primary());
  if (!primaryImage) return undefined;
  const [width, height] = [primaryImage.get_width(), primaryImage.get_height()];
  if (width * height > mostPixels) return undefined;
  const data = await new Promise<Uint8ClampedArray<ArrayBuffer> | undefined>((resolve) => {
    const pixelTarget = { data: new Uint8ClampedArray(width * height * 4), width, height };
    primaryImage.display(pixelTarget, (shown) => resolve(shown?.data));
  });
  if (!data) return undefined;
  const scale = Math.min(1, longestSide / Math.max(width, height));
  const smallBitmap = await createImageBitmap(new ImageData(data, width, height), {
    resizeWidth: Math.ceil(width * scale),
    resizeHeight: Math.ceil(height * scale),
    resizeQuality: 'medium',
  });
  const canvas = new OffscreenCanvas(smallBitmap.width, smallBitmap.height);
  canvas.getContext('bitmaprenderer')!.transferFromImageBitmap(smallBitmap);
  return await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
}

self.addEventListener('message', ({ data: file }: MessageEvent<Blob>) => {
  drawPreview(file).then(
    (drawn) => self.postMessage(drawn),
    () => self.postMessage(undefined),
  );
});
