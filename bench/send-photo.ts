/** The photo's customer and frame. */
export interface PhotoSender {
  origin: string;
  cookie: string;
  deviceId: string;
}

/** Sends a photo with the same request as the shop's pages. */
export async function sendPhoto(
  { origin, cookie, deviceId }: PhotoSender,
  bytes: Uint8Array,
  i: number,
): Promise<void> {
  const form = new FormData();
  form.append('deviceId', deviceId);
  form.append('image', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), `photo-${i}.jpg`);
  const response = await fetch(`${origin}/api/upload`, { method: 'POST', headers: { origin, cookie }, body: form });
  const responseText = await response.text();
  if (!response.ok) throw new Error(`photo ${i} was answered ${response.status}: ${responseText}`);
}
