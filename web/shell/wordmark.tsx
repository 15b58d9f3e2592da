/** The shop's logo: a picture frame, and the shop's name in the serif font. */
export function Wordmark({ name }: { name: string }) {
  return (
    <span className="flex items-center gap-2.5 font-serif text-[1.625rem] leading-none font-semibold tracking-[-0.03em]">
      <svg aria-hidden viewBox="0 0 32 32" className="size-7 shrink-0 text-accent" fill="none" stroke="currentColor">
        <rect x="2.5" y="5.5" width="27" height="21" rx="4" strokeWidth="3" />
        <path
          d="M8.5 21.5c2.6-5.4 5-8 7.2-8 2.9 0 2.6 4.6 5 4.6 1 0 1.9-.5 2.8-1.5"
          strokeWidth="2.5"
          strokeLinecap="round"
        />
      </svg>
      {name}
    </span>
  );
}
