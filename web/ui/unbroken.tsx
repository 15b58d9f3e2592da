import type { ReactNode } from 'react';

/** "24-72 hours", "30-day", "1200 x 1200 pixels" and the like read wrongly in two lines. */
const together = /(\d+(?:-| x )\w+(?: hours| business days| days| pixels)?|Wi-Fi|e-mail|Free shipping)/;

/** Running text, with what belongs together kept on one line. */
export const unbroken = (text: string): ReactNode =>
  text.split(together).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the same words may come twice; the text has no other order
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
