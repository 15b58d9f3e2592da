/** Not in TypeScript's types of the browser yet. */
interface PolicyFactory {
  defaultPolicy: unknown;
  createPolicy(name: 'default', rules: { createScriptURL: (url: string) => string }): unknown;
}

/**
 * The panel's pages require Trusted Types, so that no text becomes HTML or a script. This policy allows only workers
 * from the shop's own address. It is the default policy, because libraries start workers with plain strings. Call it
 * when the code of a panel page loads. Repeated calls do nothing.
 */
export function addTrustedTypesPolicy(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
  if (!trustedTypes || trustedTypes.defaultPolicy) return;
  trustedTypes.createPolicy('default', {
    createScriptURL: (url) => {
      if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`${url} is of another site`);
      return url;
    },
  });
}
