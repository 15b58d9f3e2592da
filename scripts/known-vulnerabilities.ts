import { runNpmForJson } from './npm-json.ts';

/** The output of npm audit, or its error message. */
interface Audit {
  message?: string;
  metadata?: { vulnerabilities?: { total: number } };
  /** `via` contains an advisory for the package itself, or the name of a dependency that has one. */
  vulnerabilities?: Record<string, { name: string; range: string; severity: string; via: (string | object)[] }>;
}

/**
 * Returns the known vulnerabilities of the running shop's packages, one line each, or the reason why the check failed.
 */
export async function findKnownVulnerabilities(
  root: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ holes: string[] } | { problem: string }> {
  const {
    message,
    metadata,
    vulnerabilities = {},
  } = await runNpmForJson<Audit>(['audit', '--omit=dev'], {
    cwd: root,
    env: environment,
  });
  if (metadata?.vulnerabilities?.total === undefined) return { problem: message ?? 'npm audit gave no answer' };
  const ownVulnerabilities = Object.values(vulnerabilities).filter(({ via }) =>
    via.some((it) => typeof it === 'object'),
  );
  return { holes: ownVulnerabilities.map((it) => `${it.name} ${it.range}: ${it.severity}`) };
}
