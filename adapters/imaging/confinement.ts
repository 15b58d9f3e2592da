import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The largest HEIC we take, 60 megapixels, brings the child to 1.5 GB, of which Node only reserves 0.7. */
const memoryLimitBytes = 2e9;
/** The copies of the noisiest picture stay below ten megabytes. */
const fileLimitBytes = 32 * 1024 * 1024;
/** Processes and threads: Node and the decoder have about twenty. */
const processLimit = 64;

/** What the kernel can hold around the decoder, in the order of asking; `npm run doctor` says which of them stand. */
export const fenceNames = [
  'limits on memory, time and files',
  'no new privileges',
  'no network',
  'no sight of other processes',
  'no files but its own code',
  'another user',
  'a limit on processes',
] as const;
export type Fence = (typeof fenceNames)[number];

/** Which fences this machine and this user let us have. Asked once: containers often refuse some, macOS has none. */
export const standingFences = (entry: URL): Promise<ReadonlySet<Fence>> => (standing ??= findFences(entry));
let standing: Promise<ReadonlySet<Fence>> | undefined;

/** Node's own fence: JavaScript in the child reads its code, and the photo it is handed open, and starts nothing. */
export const permissionArguments = (entry: URL): string[] => [
  '--permission',
  // sharp is native code, which Node's fence does not hold; the kernel's do.
  '--allow-addons',
  '--disable-warning=SecurityWarning',
  ...codeFolders(entry).map((path) => `--allow-fs-read=${path}`),
  '--max-old-space-size=256',
];

/**
 * The kernel's fences as a command that runs another behind them.
 *
 * @param room an empty folder: the child's root, where it has one of its own; nothing is written into the real one
 */
export function behindFences(
  fences: ReadonlySet<Fence>,
  { entry, room, cpuSeconds }: { entry: URL; room: string; cpuSeconds: number },
): (command: string[]) => string[] {
  const hasRoom = fences.has('no files but its own code');
  const namespaces = [
    ...(fences.has('no network') ? ['--net'] : []),
    ...(fences.has('no sight of other processes') ? ['--ipc', '--pid', '--fork', '--kill-child', '--mount-proc'] : []),
    ...(hasRoom ? ['--mount'] : []),
  ];
  /** Whoever is not root may do so only among users of their own, and build the room with what they may do there. */
  const asUser = isRoot() ? [] : ['--user', '--map-current-user', ...(hasRoom ? ['--keep-caps'] : [])];
  const hasPowers = isRoot() || hasRoom;
  const privileges = [
    ...(fences.has('no new privileges') ? ['--no-new-privs', ...(hasPowers ? withoutCapabilities : [])] : []),
    ...(fences.has('another user') ? asNobody() : []),
  ];
  const prefix = [
    ...(fences.has('limits on memory, time and files') ? ['/bin/sh', '-c', limits(cpuSeconds), 'sh'] : []),
    ...(namespaces.length > 0 ? ['unshare', ...asUser, ...namespaces, '--'] : []),
    ...(hasRoom ? ['/bin/sh', '-c', furnish, 'sh', room, ...visibleFolders(entry), '--'] : []),
    ...(privileges.length > 0 ? ['setpriv', ...privileges, '--'] : []),
    ...(fences.has('a limit on processes') ? ['prlimit', `--nproc=${processLimit}:${processLimit}`, '--'] : []),
  ];
  return (command) => [...prefix, ...command];
}

/** The processor's time also ends a child whose parent was killed while the decoder was busy. */
const limits = (cpuSeconds: number) =>
  [
    'ulimit -c 0',
    `ulimit -t ${cpuSeconds}`,
    `ulimit -d ${Math.floor(memoryLimitBytes / 1024)}`,
    `ulimit -f ${fileLimitBytes / 512}`,
    // A limit that cannot be set is already a stricter one.
    'exec "$@"',
  ].join('; ');

/**
 * An empty root with the given folders in it, none of them writable, and the processes of its own. Where systemd has made
 * everything nosuid already, it may not be mounted without.
 */
const furnish = `set -e
room=$1; shift
mount -t tmpfs -o mode=755,size=1m room "$room"
while [ "$1" != -- ]; do
  mkdir -p "$room\${1%/*}"
  if [ -L "$1" ]; then cp -P "$1" "$room$1"
  elif [ -d "$1" ]; then mkdir -p "$room$1"; mount --bind -o ro,nosuid,nodev "$1" "$room$1"; fi
  shift
done
shift
mkdir "$room/proc"; mount -t proc proc "$room/proc"
exec chroot "$room" "$@"`;

const withoutCapabilities = ['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all'];

/** A user and group of the range that systemd, too, gives away for the time of a process: they own nothing. */
function asNobody(): string[] {
  const id = 61_184 + Math.floor(Math.random() * 4336);
  return [`--reuid=${id}`, `--regid=${id}`, '--clear-groups'];
}

const isRoot = () => process.getuid?.() === 0;

/** Each fence beside those found before it, tried with the real program in the same empty environment. */
async function findFences(entry: URL): Promise<ReadonlySet<Fence>> {
  const found = new Set<Fence>();
  if (process.platform !== 'linux') return found;
  const room = await mkdtemp(join(tmpdir(), 'room-'));
  const stands = async (fence: Fence) => {
    if (!canStand(fence, found)) return false;
    const [program = '', ...args] = behindFences(new Set([...found, fence]), { entry, room, cpuSeconds: 60 })(
      fence === 'a limit on processes' ? fewProcesses : comesUp(entry),
    );
    await run(program, args, { timeout: 30_000, env: {} });
    return true;
  };
  for (const fence of fenceNames) if (await stands(fence).catch(() => false)) found.add(fence);
  await rm(room, { recursive: true, force: true });
  return found;
}

function canStand(fence: Fence, found: ReadonlySet<Fence>): boolean {
  // The room shows only the child's own processes, and what builds it is a power to be laid down afterwards.
  if (fence === 'no files but its own code')
    return found.has('no new privileges') && found.has('no sight of other processes');
  if (fence === 'another user') return isRoot();
  // Nobody limits root.
  if (fence === 'a limit on processes') return !isRoot() || found.has('another user');
  return true;
}

/** Node and the files it needs are within reach. */
const comesUp = (entry: URL) => [
  '/bin/sh',
  '-c',
  'for file; do [ -r "$file" ] || exit 1; done; exec "$0" --version',
  process.execPath,
  fileURLToPath(entry),
  ...codeFolders(entry),
];

/**
 * Where all processes of our user are counted, a limit would count the shop's, too, and other people's: with one below
 * our own threads nothing could start.
 */
const fewProcesses = ['prlimit', '--nproc=4:4', '--', '/bin/sh', '-c', '/bin/sh -c : && exit 0'];

/** The child's own code, what it shares with other children, and its packages. */
function codeFolders(entry: URL): string[] {
  const code = dirname(fileURLToPath(entry));
  return [code, join(dirname(code), 'processes'), ...packageFolders()].filter((path) => existsSync(path));
}

/** Where packages are looked for, and where sharp really lies: the folder may be a link. */
function packageFolders(): string[] {
  const { resolve } = createRequire(import.meta.url);
  const sharp = resolve('sharp');
  const name = `${sep}node_modules${sep}`;
  const real = sharp.slice(0, sharp.lastIndexOf(name) + name.length);
  return [...(resolve.paths('sharp') ?? []), real];
}

/** What programs need, Node's and ours: not all of /usr, where some keep their shop. */
function visibleFolders(entry: URL): string[] {
  const system = ['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => [`/usr/${name}`, `/${name}`]);
  const all = [...system, dirname(process.execPath), ...codeFolders(entry)];
  const paths = [...new Set(all.map((path) => path.replace(/\/$/, '')))];
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
}
