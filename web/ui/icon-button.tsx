import type { LucideIcon } from 'lucide-react';

/** A round button with only an icon. Screen readers read `words`. */
export function IconButton(props: { words: string; icon: LucideIcon; disabled: boolean; onClick: () => void }) {
  const { words, icon: Icon, disabled, onClick } = props;
  return (
    <button
      type="button"
      aria-label={words}
      disabled={disabled}
      onClick={onClick}
      className="grid size-12 place-items-center rounded-full transition-colors hover:bg-linen focus-visible:rounded-full disabled:cursor-not-allowed disabled:text-edge disabled:opacity-60 disabled:hover:bg-transparent"
    >
      <Icon aria-hidden className="size-5" />
    </button>
  );
}
