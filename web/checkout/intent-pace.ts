/** A changed cart makes a new intent after this long (specification 1, section 9). */
const soonMs = 100;
/** Whoever changes it again and again has it made once they pause: the shop makes so many intents and no more. */
const afterChanges = 5;
const onceTheyPauseMs = 1500;

export const changedDelayMs = (changesBefore: number) => (changesBefore < afterChanges ? soonMs : onceTheyPauseMs);
