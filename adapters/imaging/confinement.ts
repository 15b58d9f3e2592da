import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const runProgram = promisify(execFile);

/**
 * Memory limit of a child process. The largest accepted HEIC (60 megapixels) takes 1.5 GB in the child. Of these, Node
 * only reserves 0.7 GB and does not use them.
 */
const memoryLimitBytes = 2e9;
/** A child may write files up to this size. The display copy of a very noisy photo takes less than 10 MB. */
const fileLimitBytes = 32 * 1024 * 1024;
/** Limit on processes and threads together. Node and the decoder use about twenty. */
const processLimit = 64;

/**
 * The restrictions ("fences") that the kernel can put around the decoder process, in the order they are tried. `npm run
 * doctor` shows which of them are available.
 */
export const sandboxRestrictionNames = [
  'limits on memory, time and files',
  'no new privileges',
  'no network',
  'no sight of other processes',
  'no files but its own code',
  'another user',
  'a limit on processes',
] as const;
export type SandboxRestriction = (typeof sandboxRestrictionNames)[number];

/**
 * Returns the fences that this machine allows for this user. Containers often refuse some fences, and macOS has none.
 * The check runs only once.
 */
export const findAvailableRestrictions = (entry: URL): Promise<ReadonlySet<SandboxRestriction>> =>
  (availableRestrictionsPromise ??= findDecoderRestrictions(entry));
let availableRestrictionsPromise: Promise<ReadonlySet<SandboxRestriction>> | undefined;

/**
 * Arguments that start Node with its permission model. JavaScript in the child can then use only its code and the open
 * files, and cannot start processes.
 */
export const createPermissionArguments = (entry: URL): string[] => [
  '--permission',
  // sharp needs this permission because it is native code. Node's permission model does not restrict native code; the
  // kernel's fences do.
  '--allow-addons',
  '--disable-warning=SecurityWarning',
  ...findCodeFolders(entry).map((path) => `--allow-fs-read=${path}`),
  '--max-old-space-size=256',
];

/**
 * Returns a function that wraps a command so that it runs behind the kernel's fences.
 *
 * @param room an empty folder: the child's root, if it gets its own root; nothing is written into the real one
 */
export const createSandboxWrapper = (
  fences: ReadonlySet<SandboxRestriction>,
  { entry, room, cpuSeconds }: { entry: URL; room: string; cpuSeconds: number },
): ((command: string[]) => string[]) =>
  createCommandWrapper(fences, { visible: visibleFoldersOf(entry), room, cpuSeconds });

interface AllowedFiles {
  /** Readable folders, links and files. */
  visible: string[];
  /** Folders that are also writable. */
  writable?: string[];
  room: string;
  cpuSeconds: number;
}
function createCommandWrapper(
  fences: ReadonlySet<SandboxRestriction>,
  { visible: collectVisibleFolders, writable = [], room, cpuSeconds }: AllowedFiles,
): (command: string[]) => string[] {
  const hasOwnRoot = fences.has('no files but its own code');
  const namespaces = [
    ...(fences.has('no network') ? ['--net'] : []),
    ...(fences.has('no sight of other processes') ? ['--ipc', '--pid', '--fork', '--kill-child', '--mount-proc'] : []),
    ...(hasOwnRoot ? ['--mount'] : []),
  ];
  /**
   * Without root, a process needs a user namespace to create other namespaces. To build the new root folder, it must
   * keep the capabilities that it has inside the user namespace.
   */
  const userArgs = isRoot() ? [] : ['--user', '--map-current-user', ...(hasOwnRoot ? ['--keep-caps'] : [])];
  const hasCapabilities = isRoot() || hasOwnRoot;
  const privileges = [
    ...(fences.has('no new privileges') ? ['--no-new-privs', ...(hasCapabilities ? dropCapabilityArguments : [])] : []),
    ...(fences.has('another user') ? asUnprivilegedUser() : []),
  ];
  const prefix = [
    ...(fences.has('limits on memory, time and files')
      ? ['/bin/sh', '-c', resourceLimitArguments(cpuSeconds), 'sh']
      : []),
    ...(namespaces.length > 0 ? ['unshare', ...userArgs, ...namespaces, '--'] : []),
    ...(hasOwnRoot
      ? ['/bin/sh', '-c', mountScript, 'sh', room, ...collectVisibleFolders, '--', ...writable, '--']
      : []),
    ...(privileges.length > 0 ? ['setpriv', ...privileges, '--'] : []),
    ...(fences.has('a limit on processes') ? ['prlimit', `--nproc=${processLimit}:${processLimit}`, '--'] : []),
  ];
  return (command) => [...prefix, ...command];
}

/**
 * The shell commands that set the limits. The CPU limit also ends a child whose parent was killed while the decoder was
 * busy.
 */
const resourceLimitArguments = (cpuSeconds: number) =>
  [
    'ulimit -c 0',
    `ulimit -t ${cpuSeconds}`,
    `ulimit -d ${Math.floor(memoryLimitBytes / 1024)}`,
    `ulimit -f ${fileLimitBytes / 512}`,
    // An error while setting a limit is ignored, because it means that a stricter limit is already in place.
    'exec "$@"',
  ].join('; ');

/**
 * A shell script that builds a new root folder for the child. It contains only the given folders and files, and a new
 * /proc. Only the folders of the second list are writable. The mounts are nosuid, because a mount without nosuid is
 * refused where systemd has already mounted everything nosuid.
 */
const mountScript = `set -e
room=$1; shift
mount -t tmpfs -o mode=755,size=1m room "$room"
while [ "$1" != -- ]; do
  mkdir -p "$room\${1%/*}"
  if [ -L "$1" ]; then cp -P "$1" "$room$1"
  elif [ -d "$1" ]; then mkdir -p "$room$1"; mount --bind -o ro,nosuid,nodev "$1" "$room$1"
  elif [ -f "$1" ]; then
    : > "$room$1"; mount --bind "$1" "$room$1"
    # Refused where the disk's own options are locked: then the file's mode alone protects it.
    mount -o remount,bind,ro,nosuid,nodev "$room$1" 2>/dev/null || :
  fi
  shift
done
shift
while [ "$1" != -- ]; do
  mkdir -p "$room$1"; mount --bind "$1" "$room$1"
  shift
done
shift
mkdir "$room/proc"; mount -t proc proc "$room/proc"
exec chroot "$room" "$@"`;

const dropCapabilityArguments = ['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all'];

/** A random user and group from the range that systemd also assigns to temporary processes. They own no files. */
function asUnprivilegedUser(): string[] {
  const id = 61_184 + Math.floor(Math.random() * 4336);
  return [`--reuid=${id}`, `--regid=${id}`, '--clear-groups'];
}

const isRoot = () => process.getuid?.() === 0;

/** Finds the fences that are available for the decoder's program. */
const findDecoderRestrictions = (entry: URL): Promise<ReadonlySet<SandboxRestriction>> =>
  testRestrictions(sandboxRestrictionNames, visibleFoldersOf(entry), createStartupCheckCommand(entry));

/**
 * Finds the available fences. Tries each fence together with the fences that were found before it, with the real
 * program and an empty environment.
 */
async function testRestrictions(
  names: readonly SandboxRestriction[],
  collectVisibleFolders: string[],
  startupCheckCommand: string[],
): Promise<ReadonlySet<SandboxRestriction>> {
  const foundRestrictions = new Set<SandboxRestriction>();
  if (process.platform !== 'linux') return foundRestrictions;
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'room-'));
  const isAvailable = async (fence: SandboxRestriction) => {
    if (!isRestrictionPossible(fence, foundRestrictions)) return false;
    const [program = '', ...args] = createCommandWrapper(new Set([...foundRestrictions, fence]), {
      visible: collectVisibleFolders,
      room: temporaryFolder,
      cpuSeconds: 60,
    })(fence === 'a limit on processes' ? processLimitCheckCommand : startupCheckCommand);
    await runProgram(program, args, { timeout: 30_000, env: {} });
    return true;
  };
  for (const restriction of names)
    if (await isAvailable(restriction).catch(() => false)) foundRestrictions.add(restriction);
  await rm(temporaryFolder, { recursive: true, force: true });
  return foundRestrictions;
}

function isRestrictionPossible(fence: SandboxRestriction, found: ReadonlySet<SandboxRestriction>): boolean {
  // The new root folder has a /proc with only the child's processes, so it needs a separate process namespace. The
  // capabilities that build the root folder must be dropped afterwards.
  if (fence === 'no files but its own code')
    return found.has('no new privileges') && found.has('no sight of other processes');
  if (fence === 'another user') return isRoot();
  // The kernel does not limit the number of processes of root.
  if (fence === 'a limit on processes') return !isRoot() || found.has('another user');
  return true;
}

/** A command that succeeds only if Node starts and the files it needs are readable. */
const createStartupCheckCommand = (entry: URL) => [
  '/bin/sh',
  '-c',
  'for file; do [ -r "$file" ] || exit 1; done; exec "$0" --version',
  process.execPath,
  fileURLToPath(entry),
  ...findCodeFolders(entry),
];

/**
 * A command that succeeds only if the limit counts just the child's processes. If the kernel counts all processes of
 * the user, the shop's processes count too. A limit below their number would let nothing start.
 */
const processLimitCheckCommand = ['prlimit', '--nproc=4:4', '--', '/bin/sh', '-c', '/bin/sh -c : && exit 0'];

/** The child's own code, the code shared with other children, and its packages. */
function findCodeFolders(entry: URL): string[] {
  const codeFolder = dirname(fileURLToPath(entry));
  return [codeFolder, join(dirname(codeFolder), 'processes'), ...findPackageFolders()].filter((path) =>
    existsSync(path),
  );
}

/**
 * The folders where packages are searched, and the real folder of sharp, because node_modules may be a symbolic link.
 */
function findPackageFolders(): string[] {
  const require = createRequire(import.meta.url);
  const sharpPath = require.resolve('sharp');
  const nodeModulesSegment = `${sep}node_modules${sep}`;
  const realPackageFolder = sharpPath.slice(0, sharpPath.lastIndexOf(nodeModulesSegment) + nodeModulesSegment.length);
  return [...(require.resolve.paths('sharp') ?? []), realPackageFolder];
}

/**
 * The system's folders that programs need, Node's folder and the code folders. Not all of /usr, because some machines
 * have the shop's own folder there.
 */
const visibleFoldersOf = (entry: URL): string[] =>
  collectVisibleFolders([dirname(process.execPath), ...findCodeFolders(entry)]);

function collectVisibleFolders(more: string[]): string[] {
  const systemFolders = ['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => [`/usr/${name}`, `/${name}`]);
  const allFolders = [...systemFolders, ...more];
  const paths = [...new Set(allFolders.map((path) => path.replace(/\/$/, '')))];
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
}

/**
 * The fences for third-party programs such as ffmpeg. These programs open files by name, so they must run as a user
 * who is permitted to open them.
 */
const programRestrictions = sandboxRestrictionNames.filter(
  (name) => name !== 'another user' && name !== 'a limit on processes',
);
const restrictionsByProgram = new Map<string, Promise<ReadonlySet<SandboxRestriction>>>();

/**
 * Returns the fences that are available for this program. Checks them once by running the program with `-version`,
 * which ffmpeg accepts.
 */
export function findProgramRestrictions(path: string): Promise<ReadonlySet<SandboxRestriction>> {
  const restrictionsPromise =
    restrictionsByProgram.get(path) ??
    testRestrictions(programRestrictions, listProgramFolders(path), [path, '-version']);
  restrictionsByProgram.set(path, restrictionsPromise);
  return restrictionsPromise;
}

export const describeProgramRestrictions = async (path: string): Promise<string> =>
  describeRestrictions(await findProgramRestrictions(path), programRestrictions);

/** Lists the active and the unavailable fences for `npm run doctor`. */
export function describeRestrictions(
  available: ReadonlySet<SandboxRestriction>,
  allFolders: readonly SandboxRestriction[] = sandboxRestrictionNames,
): string {
  const listRestrictions = (isAvailable: boolean) =>
    allFolders.filter((name) => available.has(name) === isAvailable).join(', ') || 'none';
  return `active protections: ${listRestrictions(true)}; not available on this machine: ${listRestrictions(false)}`;
}

/**
 * Runs a third-party program on untrusted files behind the fences that are available. With all of them it has no
 * network, sees only its own processes, has limited memory and time, and sees no files except `reads`, `writes` and its
 * libraries. It can write at most 32 MB per file. The caller must pass an empty environment.
 */
export async function runSandboxedProgram<T>(
  path: string,
  { reads, writes, cpuSeconds }: { reads: string[]; writes: string[]; cpuSeconds: number },
  use: (wrap: (command: string[]) => string[]) => Promise<T>,
): Promise<T> {
  const restrictions = await findProgramRestrictions(path);
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'room-'));
  try {
    const [readable, writable] = [reads, writes].map((paths) => paths.map((it) => resolve(it)));
    return await use(
      createCommandWrapper(restrictions, {
        visible: [...listProgramFolders(path), ...readable!],
        writable: writable!,
        room: temporaryFolder,
        cpuSeconds,
      }),
    );
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

/** The folders of the program and of the libraries next to it, and the system's library configuration. */
function listProgramFolders(path: string): string[] {
  const realPath = existsSync(path) ? realpathSync(path) : path;
  const folders = [dirname(path), dirname(realPath), join(dirname(realPath), '../lib')].filter((it) => existsSync(it));
  return collectVisibleFolders([...folders, '/etc/alternatives', '/etc/ld.so.cache']);
}
