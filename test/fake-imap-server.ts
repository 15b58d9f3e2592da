import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface StoredMail {
  uid: number;
  raw: Buffer;
  flags: Set<string>;
}

/**
 * An IMAP server with one mailbox, INBOX. It understands the commands that the shop's client sends (RFC 3501), and
 * refuses all others.
 */
export async function startFakeImap({ user = 'support', password = 'letters-in-a-box' } = {}) {
  const mails: StoredMail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  let breaksAt: string | undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    const sendLines = (...lines: string[]): void => void socket.write(lines.map((it) => `${it}\r\n`).join(''));
    sendLines('* OK [CAPABILITY IMAP4rev1] ready');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (let end = received.indexOf('\r\n'); end >= 0; end = received.indexOf('\r\n')) {
        const line = received.slice(0, end);
        received = received.slice(end + 2);
        const [, tag = '*', command = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
        commands.push(command.replace(password, '…'));
        if (breaksAt !== undefined && command.startsWith(breaksAt)) return socket.destroy();
        answerCommand(tag, command);
      }
    });

    function answerCommand(tag: string, command: string): void {
      const sendOkLine = (words = 'done') => sendLines(`${tag} OK ${words}`);
      if (/^CAPABILITY/i.test(command)) return (sendLines('* CAPABILITY IMAP4rev1'), sendOkLine());
      if (/^LOGIN/i.test(command)) {
        const isRight = command.includes(user) && command.includes(password);
        return isRight
          ? sendOkLine()
          : sendLines(`${tag} NO [AUTHENTICATIONFAILED] wrong password of ${user}@example.com`);
      }
      if (/^(NOOP|LIST|LSUB|NAMESPACE|ID|CLOSE|UNSELECT)/i.test(command)) return sendOkLine();
      if (/^LOGOUT/i.test(command)) return (sendLines('* BYE'), sendOkLine(), void socket.end());
      const [, verb, folder] = /^(SELECT|EXAMINE) "?([^"]*)"?/i.exec(command) ?? [];
      if (verb && folder !== 'INBOX') return sendLines(`${tag} NO no such mailbox`);
      if (verb) {
        sendLines('* FLAGS (\\Seen \\Flagged \\Deleted)', '* OK [PERMANENTFLAGS (\\Seen \\Flagged \\*)] flags');
        sendLines(
          `* ${mails.length} EXISTS`,
          '* 0 RECENT',
          '* OK [UIDVALIDITY 1] valid',
          `* OK [UIDNEXT ${mails.length + 1}] next`,
        );
        return sendOkLine(verb.toUpperCase() === 'SELECT' ? '[READ-WRITE] done' : '[READ-ONLY] done');
      }
      if (/^UID SEARCH/i.test(command)) {
        const unreadUids = mails.filter((it) => !it.flags.has('\\Seen')).map((it) => it.uid);
        return (sendLines(`* SEARCH ${unreadUids.join(' ')}`.trim()), sendOkLine());
      }
      const [, uid, items = ''] = /^UID FETCH (\d+) \(?(.*?)\)?$/i.exec(command) ?? [];
      if (uid) {
        const mail = mails.find((it) => it.uid === Number(uid));
        if (mail) sendItems(mail, items);
        return sendOkLine();
      }
      const [, stored, flags = ''] = /^UID STORE (\d+) \+FLAGS(?:\.SILENT)? \((.*)\)/i.exec(command) ?? [];
      if (stored) {
        for (const flag of flags.split(' ')) mails.find((it) => it.uid === Number(stored))?.flags.add(flag);
        return sendOkLine();
      }
      sendLines(`${tag} BAD unknown command`);
    }

    function sendItems({ uid, raw, flags }: StoredMail, items: string): void {
      const parts: Buffer[] = [Buffer.from(`UID ${uid}`)];
      if (/\bFLAGS\b/i.test(items)) parts.push(Buffer.from(`FLAGS (${[...flags].join(' ')})`));
      if (/RFC822\.SIZE/i.test(items)) parts.push(Buffer.from(`RFC822.SIZE ${raw.length}`));
      const [, section, from, count] = /BODY\.PEEK\[(HEADER)?\](?:<(\d+)\.(\d+)>)?/i.exec(items) ?? [];
      if (/BODY\.PEEK\[/i.test(items)) {
        const requestedBytes = section ? raw.subarray(0, raw.indexOf('\r\n\r\n') + 4) : raw;
        const bytes =
          from === undefined ? requestedBytes : requestedBytes.subarray(Number(from), Number(from) + Number(count));
        const name = `BODY[${section ?? ''}]${from === undefined ? '' : `<${from}>`}`;
        parts.push(Buffer.concat([Buffer.from(`${name} {${bytes.length}}\r\n`), bytes]));
      }
      socket.write(`* ${mails.findIndex((it) => it.uid === uid) + 1} FETCH (`);
      parts.forEach((it, index) => socket.write(index === 0 ? it : Buffer.concat([Buffer.from(' '), it])));
      socket.write(')\r\n');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    sockets.forEach((it) => it.destroy());
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `imap://${user}:${password}@127.0.0.1:${port}/INBOX`,
    commands,
    mails,
    add: (raw: Buffer) => void mails.push({ uid: mails.length + 1, raw, flags: new Set() }),
    /** Cuts the connection when a command begins like this. Undefined: never again. */
    breakAt: (command: string | undefined) => void (breaksAt = command),
  };
}
