/** A link to the customer's photo of the QR code on their frame. */
export const QrPhotoLink = ({ path }: { path: string }) => (
  <a href={path} target="_blank" rel="noreferrer" className="link inline-flex items-center gap-3">
    <img src={path} alt="" width={72} height={72} loading="lazy" className="size-18 rounded-md bg-clay object-cover" />
    QR photo, opens in a new tab
  </a>
);
