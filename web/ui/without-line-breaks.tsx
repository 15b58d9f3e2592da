import type { ReactNode } from 'react';

/** Matches texts that are hard to read across a line break: "24-72 hours", "30-day", "1200 x 1200 pixels". */
const unbreakablePattern = /(\d+(?:-| x )\w+(?: hours| business days| days| pixels)?|Wi-Fi|Free shipping)/;

/** Renders a text without line breaks inside a range with its unit, such as "24-72 hours". */
export const withoutLineBreaks = (text: string): ReactNode =>
  text.split(unbreakablePattern).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- parts can repeat, and only the index identifies them
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
