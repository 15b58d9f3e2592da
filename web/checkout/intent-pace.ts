/** The delay in ms before a new intent is requested for a changed cart (specification 1, section 9). */
const shortDelayMs = 100;
/** After this many changes the delay is longer, because the shop limits the rate of intents. */
const quickChangeCount = 5;
const longDelayMs = 1500;

export const intentUpdateDelayMs = (changesBefore: number) =>
  changesBefore < quickChangeCount ? shortDelayMs : longDelayMs;
