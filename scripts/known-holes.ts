import { execFile } from 'node:child_process';

/** What npm's audit answers, or why it has no answer. */
interface Audit {
  message?: string;
  metadata?: { vulnerabilities?: { total: number } };
  vulnerabilities?: Record<string, { name: string; range: string; severity: string }>;
}

/** What the registry knows of holes in the running shop's packages: a line for each, or why nobody has looked. */
export async function knownHoles(
  root: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ holes: string[] } | { problem: string }> {
  // It leaves with 1 for a hole as for a registry that refuses: only its words tell them apart.
  const said = await new Promise<string>((resolve) =>
    execFile(
      'npm',
      ['audit', '--omit=dev', '--json'],
      { cwd: root, env: environment, maxBuffer: 1e8 },
      (_failed, out) => resolve(out),
    ),
  );
  const { message, metadata, vulnerabilities = {} } = parsed(said);
  if (metadata?.vulnerabilities?.total === undefined) return { problem: message ?? 'npm audit gave no answer' };
  return { holes: Object.values(vulnerabilities).map((it) => `${it.name} ${it.range}: ${it.severity}`) };
}

function parsed(text: string): Audit {
  try {
    return JSON.parse(text) as Audit;
  } catch {
    return {};
  }
}
