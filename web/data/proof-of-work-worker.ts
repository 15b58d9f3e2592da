import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { handler } from 'altcha-lib/workers/shared';

// One of several workers that try numbers in parallel. The package's own worker requires Node.
handler({ deriveKey });
