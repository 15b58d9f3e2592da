import type { ServerSettings, ShopSettings } from '#contract/content-forms.ts';

/** The settings in use: set by the server's environment, else by the owner in the panel, else built in. */
export const combineSettings = (setByServer: ServerSettings, owners: ShopSettings): ShopSettings => ({
  frameCostDollars: setByServer.frameCostDollars ?? owners.frameCostDollars,
  shippingCostDollars: setByServer.shippingCostDollars ?? owners.shippingCostDollars,
  autoApprove: setByServer.autoApprove ?? owners.autoApprove,
  proof: setByServer.proof ?? owners.proof,
  customerRedos: setByServer.customerRedos ?? owners.customerRedos,
  previews: setByServer.previews ?? owners.previews,
  trials: setByServer.trials ?? owners.trials,
});

/** A cost in integer cents. Undefined if it is not set. */
export const costInCents = (dollars: number | undefined): number | undefined =>
  dollars === undefined ? undefined : Math.round(dollars * 100);
