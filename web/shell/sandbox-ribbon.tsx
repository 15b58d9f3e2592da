/** Shown on every page while payments run in the sandbox and no real card is charged. */
export function SandboxRibbon() {
  return (
    <aside aria-label="Demo shop" className="print:hidden bg-warn-soft px-5 py-2 text-center text-sm text-warn">
      <strong className="font-semibold">Demo shop.</strong> Payments run in a sandbox: no card is charged and nothing
      ships.
    </aside>
  );
}
