/** Error codes of Node and PostgreSQL for a network or database that is unreachable, full, read-only or overloaded. */
const outageCodePattern = new RegExp(
  `^(${[
    'ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN',
    '08\\w{3}|25006|25P03|40001|40P01|53[123]00|55P03|57014|57P0[1235]|58\\w{3}',
  ].join('|')})$`,
);
const lostConnectionPattern =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|Query read timeout|PGlite is closed/;

/** Whether the error means that the database, or the network to it, is unavailable. */
export function isDatabaseOutage(error: unknown): boolean {
  for (let it = error; it instanceof Error; it = it.cause) {
    const { code, message } = it as { code?: string; message: string };
    if ((code !== undefined && outageCodePattern.test(code)) || lostConnectionPattern.test(message)) return true;
  }
  return false;
}
