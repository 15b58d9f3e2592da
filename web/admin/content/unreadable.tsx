/** Shown if the stored section has the format of another release. The form then shows the built-in section. */
export function Unreadable() {
  return (
    <p role="alert" className="mb-5 rounded-lg bg-linen p-4">
      This version of the shop cannot read what was saved here. Visitors see the built-in content, which is shown below.
      Saving replaces it.
    </p>
  );
}
