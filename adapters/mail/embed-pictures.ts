interface Embedded {
  contentId: string;
  contentType: string;
  bytes: Uint8Array;
}

/** Embeds an email's pictures in its HTML as data URLs, for a web page that shows the email. */
export const embedPicturesInHtml = (html: string, pictures: Embedded[]): string =>
  pictures.reduce(
    (shown, { contentId, contentType, bytes }) =>
      shown.replaceAll(
        `src="cid:${contentId}"`,
        () => `src="data:${contentType};base64,${Buffer.from(bytes).toString('base64')}"`,
      ),
    html,
  );
