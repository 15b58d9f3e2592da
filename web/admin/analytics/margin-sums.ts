import type { OrderMargin } from '#contract/owner/margins.ts';

/** Adds several margins. If a cost is null (unknown) in one margin, it is null in the sum. */
export function sumOfMargins(all: readonly OrderMargin[]): OrderMargin {
  const sum = (of: (it: OrderMargin) => number) => all.reduce((total, it) => total + of(it), 0);
  const sumIfAllKnown = (of: (it: OrderMargin) => number | null) =>
    all.some((it) => of(it) === null) ? null : sum((it) => of(it) ?? 0);
  const costsByAnimator = Map.groupBy(
    all.flatMap((it) => it.videos),
    (it) => it.animator,
  );
  return {
    orders: sum((it) => it.orders),
    paid: sum((it) => it.paid),
    refunded: sum((it) => it.refunded),
    disputed: sum((it) => it.disputed),
    tax: sum((it) => it.tax),
    fee: sum((it) => it.fee),
    unknownFees: sum((it) => it.unknownFees),
    videos: [...costsByAnimator].map(([animator, its]) => ({
      animator,
      videos: its.reduce((total, it) => total + it.videos, 0),
      amount: its.reduce((total, it) => total + it.amount, 0),
    })),
    frames: sum((it) => it.frames),
    frameCost: sumIfAllKnown((it) => it.frameCost),
    parcels: sum((it) => it.parcels),
    parcelCost: sumIfAllKnown((it) => it.parcelCost),
    labelCost: sum((it) => it.labelCost),
    left: sum((it) => it.left),
  };
}
