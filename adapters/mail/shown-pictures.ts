interface Embedded {
  contentId: string;
  contentType: string;
  bytes: Uint8Array;
}

/** A letter's HTML with its pictures in it, for a page that shows it without the mail around it. */
export const withPictures = (html: string, pictures: Embedded[]): string =>
  pictures.reduce(
    (shown, { contentId, contentType, bytes }) =>
      shown.replaceAll(
        `src="cid:${contentId}"`,
        () => `src="data:${contentType};base64,${Buffer.from(bytes).toString('base64')}"`,
      ),
    html,
  );
