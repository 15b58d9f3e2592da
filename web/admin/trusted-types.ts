/**
 * The panel's pages require Trusted Types, so that no text becomes HTML or a script. This policy allows only workers
 * from the shop's own address. It is the default policy, because libraries start workers with plain strings.
 */
interface PolicyFactory {
  createPolicy(name: 'default', rules: { createScriptURL: (url: string) => string }): unknown;
}

const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
trustedTypes?.createPolicy('default', {
  createScriptURL: (url) => {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`${url} is of another site`);
    return url;
  },
});

export {};
