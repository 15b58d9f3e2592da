/** For browsers without JavaScript: texts and links work there, forms and buttons do not. */
export function NoScripts() {
  return (
    <noscript>
      <aside aria-label="Without JavaScript">
        <p className="border-b border-hair bg-linen px-5 py-3 text-center text-[0.9375rem]">
          JavaScript is turned off in this browser. You can read everything here. To order, sign in or write to us,
          please turn it on and reload the page.
        </p>
      </aside>
    </noscript>
  );
}
