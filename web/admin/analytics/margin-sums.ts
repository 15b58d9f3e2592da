import type { OrderMargin } from '#contract/owner/margins.ts';

/** Adds several margins. If a cost is null (unknown) in one margin, it is null in the sum. */
export function sumOfMargins(all: readonly OrderMargin[]): OrderMargin {
  const sumOfAll = (of: (it: OrderMargin) => number) => all.reduce((total, it) => total + of(it), 0);
  const sumIfAllKnown = (of: (it: OrderMargin) => number | null) =>
    all.some((it) => of(it) === null) ? null : sumOfAll((it) => of(it) ?? 0);
  const costsByAnimator = Map.groupBy(
    all.flatMap((it) => it.videos),
    (it) => it.animator,
  );
  return {
    orders: sumOfAll((it) => it.orders),
    paid: sumOfAll((it) => it.paid),
    refunded: sumOfAll((it) => it.refunded),
    disputed: sumOfAll((it) => it.disputed),
    tax: sumOfAll((it) => it.tax),
    fee: sumOfAll((it) => it.fee),
    unknownFees: sumOfAll((it) => it.unknownFees),
    videos: [...costsByAnimator].map(([animator, its]) => ({
      animator,
      videos: its.reduce((total, it) => total + it.videos, 0),
      amount: its.reduce((total, it) => total + it.amount, 0),
    })),
    frames: sumOfAll((it) => it.frames),
    frameCost: sumIfAllKnown((it) => it.frameCost),
    parcels: sumOfAll((it) => it.parcels),
    parcelCost: sumIfAllKnown((it) => it.parcelCost),
    labelCost: sumOfAll((it) => it.labelCost),
    left: sumOfAll((it) => it.left),
  };
}
