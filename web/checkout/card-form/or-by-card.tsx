/** The line between the wallets and the card form. */
export const OrByCard = () => (
  <p className="my-5 flex items-center gap-4 text-[0.9375rem] text-muted before:h-px before:flex-1 before:bg-hair after:h-px after:flex-1 after:bg-hair">
    or pay by card
  </p>
);
