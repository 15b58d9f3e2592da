import type { ShopSettings } from './content-forms.ts';

/** The settings of a shop whose owner has not saved any. */
export const builtInSettings: ShopSettings = {
  autoApprove: 'off',
  proof: 'off',
  customerRedos: 3,
  previews: 'on',
  trials: 'on',
};
