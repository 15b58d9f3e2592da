/** What stands in the database is of another release: the built-in section is shown in its place. */
export function Unreadable() {
  return (
    <p role="alert" className="mb-5 rounded-lg bg-linen p-4">
      What was saved here cannot be read by this version of the shop, so visitors see what the shop came with, and so do
      you below. Saving replaces it.
    </p>
  );
}
