/**
 * The header with the proof of work of a request over its limit in `proofOfWorkLimits`: ALTCHA's payload, base64 of
 * JSON.
 */
export const proofOfWorkHeader = 'x-proof-of-work';
