/** Joins class names. Skips false, null, undefined and empty values, so that a name can have a condition. */
export const joinClassNames = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ');
