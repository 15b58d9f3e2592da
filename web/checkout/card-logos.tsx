import type { ReactNode } from 'react';

/** Simplified drawings of the cards' logos. */
const logos: Record<string, ReactNode> = {
  Visa: (
    <>
      <rect width="38" height="24" fill="#fff" />
      <g transform="translate(3) skewX(-14)" fill="none" stroke="#1a1f71" strokeWidth="2.1">
        <path d="M7.6 7.5l2.7 9 2.7-9M16.4 7.5v9M24 9.3c-.8-1.3-4-1.5-4.2.5-.2 2.2 4.3 1.7 4.2 4.4-.1 2.5-3.9 2.6-4.9.9M26.6 16.5l2.7-9 2.7 9M27.5 13.6h3.6" />
      </g>
    </>
  ),
  Mastercard: (
    <>
      <rect width="38" height="24" fill="#fff" />
      <circle cx="15" cy="12" r="7" fill="#eb001b" />
      <circle cx="23" cy="12" r="7" fill="#f79e1b" />
      <path d="M19 6.255a7 7 0 0 1 0 11.49a7 7 0 0 1 0-11.49z" fill="#ff5f00" />
    </>
  ),
  'American Express': (
    <>
      <rect width="38" height="24" fill="#006fcf" />
      <path
        d="M5.4 16.2l2.8-8.4 2.8 8.4M6.4 13.4h3.6M13.2 16.2V7.8l2.8 4.9 2.8-4.9v8.4M25.8 7.8h-4.2v8.4h4.2M21.6 12h3.7M27.8 7.8l4.8 8.4M32.6 7.8l-4.8 8.4"
        fill="none"
        stroke="#fff"
        strokeWidth="1.6"
      />
    </>
  ),
  Discover: (
    <>
      <rect width="38" height="24" fill="#fff" />
      <path d="M38 13v11H12c11-1.5 21-5.5 26-11z" fill="#f47216" />
      <path
        d="M3 8.5v5h1.2a2.5 2.5 0 0 0 0-5zM9 8.5v5M13.6 9.3c-.5-.9-2.7-1-2.7.4 0 1.6 2.9.9 2.9 2.5 0 1.5-2.5 1.7-3.1.4M19 9.3a2.5 2.5 0 1 0 0 3.4M25 8.5l1.7 5 1.7-5M32.6 8.5h-2.4v5h2.4M30.2 11h2.1M34.4 13.5v-5h1a1.3 1.3 0 0 1 0 2.7h-1M35.4 11.2l1.3 2.3"
        fill="none"
        stroke="#2b2420"
        strokeWidth="1.1"
      />
      <circle cx="22" cy="11" r="2.6" fill="#f47216" />
    </>
  ),
};

/** The most common cards. The payment provider may accept others. */
export function CardLogos() {
  return (
    <ul aria-label="Cards we take" className="flex gap-1.5">
      {Object.entries(logos).map(([name, drawing]) => (
        <li key={name}>
          <svg
            role="img"
            aria-label={name}
            viewBox="0 0 38 24"
            className="h-6 w-9.5 rounded-sm border border-hair"
            preserveAspectRatio="xMidYMid slice"
          >
            {drawing}
          </svg>
        </li>
      ))}
    </ul>
  );
}
