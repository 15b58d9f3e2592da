/** For whoever has scripts switched off: pages can be read and gone through, but nothing on them answers. */
export function NoScripts() {
  return (
    <noscript>
      <aside aria-label="Without JavaScript">
        <p className="border-b border-hair bg-linen px-5 py-3 text-center text-[0.9375rem]">
          JavaScript is switched off in this browser. You can read everything here; to order, sign in or write to us,
          please allow it and load the page again.
        </p>
      </aside>
    </noscript>
  );
}
