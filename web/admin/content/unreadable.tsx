/** Shown if the stored section has the format of another release. The form then shows the built-in section. */
export function UnreadableSectionNotice() {
  return (
    <p role="alert" className="mb-5 rounded-lg bg-linen p-4">
      We can’t read what was saved here. Visitors see the built-in content below. If you save this section, you’ll
      replace the old content.
    </p>
  );
}
