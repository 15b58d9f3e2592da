import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Seconds before each start after an unexpected exit; the last one repeats. */
const pauseSeconds = [1, 2, 5, 10, 20, 40, 60];
/** A shop that was open for this long has recovered: the pauses start again with the first one. */
const recoveredMs = 300_000;

/**
 * Run the shop as a child process and start it again when it exits unexpectedly, so that `npm start` alone keeps it
 * open. systemd, containers and Kubernetes start the shop itself and restart it themselves.
 *
 * A shop that has never opened is not started again: it has printed why it cannot start, such as wrong settings. This
 * process exits with the shop's exit code. When this process is killed, the channel to the shop closes, and the shop
 * exits too.
 */
export function superviseShopProcess(
  args: string[],
  {
    say = (words) => process.stderr.write(`\n  ${words}\n\n`),
    pauseMs = (failures) => pauseSeconds[Math.min(failures, pauseSeconds.length) - 1]! * 1000,
    exit = (code) => process.exit(code),
  }: { say?: (words: string) => void; pauseMs?: (failures: number) => number; exit?: (code: number) => void } = {},
): { stop: (signal: NodeJS.Signals) => void } {
  let hasOpened = false;
  let failureCount = 0;
  let isStopping = false;
  let waiting: NodeJS.Timeout | undefined;
  let child = startProcess();

  function startProcess() {
    let openedAt: number | undefined;
    const startedProcess = spawn(process.execPath, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    startedProcess.on('message', (message) => {
      if (message !== 'open') return;
      hasOpened = true;
      openedAt = performance.now();
    });
    startedProcess.once('exit', (code, signal) => {
      const exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
      if (isStopping || code === 0 || !hasOpened) return exit(exitCode);
      if (openedAt !== undefined && performance.now() - openedAt > recoveredMs) failureCount = 0;
      failureCount += 1;
      const restartDelayMs = pauseMs(failureCount);
      const seconds = Math.round(restartDelayMs / 1000);
      const exitReason = signal ? `signal ${signal}` : `exit code ${code}`;
      say(
        `The shop ended unexpectedly (${exitReason}). It starts again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      );
      waiting = setTimeout(() => {
        waiting = undefined;
        child = startProcess();
      }, restartDelayMs);
    });
    return startedProcess;
  }

  return {
    stop(signal) {
      isStopping = true;
      if (waiting === undefined) return void child.kill(signal);
      clearTimeout(waiting);
      exit(0);
    },
  };
}
