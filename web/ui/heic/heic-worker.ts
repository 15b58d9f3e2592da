/**
 * Draws a HEIC file small, with the decoder that the shop has, too: two megabytes of WebAssembly, fetched for the first
 * such file. Takes the file, answers a picture, or undefined where it cannot be drawn. Good for one file: what decoding
 * took in memory is let go of with the worker.
 */
import heicDecode from 'heic-decode';

/** Pixels of its longer side: as large as a tile shows it on a fine screen. */
const longest = 480;
/** Four bytes each: more would be much for a phone. */
const mostPixels = 50e6;

async function draw(file: Blob): Promise<Blob | undefined> {
  const [image] = await heicDecode.all({ buffer: new Uint8Array(await file.arrayBuffer()) });
  if (!image || image.width * image.height > mostPixels) return undefined;
  const { width, height } = image;
  const { data } = await image.decode();
  const part = Math.min(1, longest / Math.max(width, height));
  const size = { width: Math.ceil(width * part), height: Math.ceil(height * part) };
  const small = await createImageBitmap(new ImageData(data, width, height), {
    resizeWidth: size.width,
    resizeHeight: size.height,
    resizeQuality: 'medium',
  });
  const canvas = new OffscreenCanvas(size.width, size.height);
  canvas.getContext('bitmaprenderer')!.transferFromImageBitmap(small);
  return await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
}

self.addEventListener('message', ({ data: file }: MessageEvent<Blob>) => {
  draw(file).then(
    (drawn) => self.postMessage(drawn),
    () => self.postMessage(undefined),
  );
});
