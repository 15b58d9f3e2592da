import { runNpmForJson } from './npm-json.ts';

/** The output of npm audit signatures, or its error. */
interface Signatures {
  invalid: SignedPackage[];
  missing: SignedPackage[];
  error: { summary: string };
}
interface SignedPackage {
  name: string;
  version: string;
}

/**
 * Returns the packages of the running shop that the registry has not signed, or whose signature is wrong, one line
 * each. Returns the reason if the check failed.
 */
export async function findUnsignedPackages(
  root: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ unsigned: string[] } | { problem: string }> {
  const { invalid, missing, error } = await runNpmForJson<Signatures>(['audit', 'signatures', '--omit=dev'], {
    cwd: root,
    env: environment,
  });
  if (!invalid || !missing) return { problem: error?.summary ?? 'npm audit signatures gave no answer' };
  const formatLines = (packages: SignedPackage[], state: string) =>
    packages.map(({ name, version }) => `${name} ${version}: ${state}`);
  return { unsigned: [...formatLines(invalid, 'invalid signature'), ...formatLines(missing, 'no signature')] };
}
