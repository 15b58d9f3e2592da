import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A wire to a TCP server on this machine that can be cut, fall silent, and be mended. */
export class Cable {
  #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #isSilent = false;
  #lateMs = 0;
  #listener: ((words: Buffer) => void) | undefined;
  port = 0;

  static async to(target: number): Promise<Cable> {
    const cable = new Cable(target);
    await cable.mend();
    return cable;
  }
  private constructor(target: number) {
    this.#target = target;
  }

  async mend(): Promise<void> {
    this.#isSilent = false; // for those who call from now on: what was swallowed stays so
    if (this.#server) return;
    this.#server = createServer((near) => this.#join(near)).listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  /** Who calls from now on finds another server at the same address. */
  leadTo(target: number): void {
    this.#target = target;
  }

  #join(near: Socket): void {
    const far = connect(this.#target, '127.0.0.1').once('close', () => {
      if (!this.#isSilent) near.end();
    });
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
    }
    near.on('data', (words) => this.#listener?.(words)); // hears them before they are passed on
    if (this.#isSilent) near.resume();
    else near.pipe(this.#late()).pipe(far).pipe(this.#late()).pipe(near);
  }

  /** Everything takes so much longer each way from now on. */
  slowDown(ms: number): void {
    this.#lateMs = ms;
  }
  #late(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, pass) => {
        if (this.#lateMs === 0) pass(null, chunk);
        else setTimeout(pass, this.#lateMs, null, chunk);
      },
    });
  }

  async cut(): Promise<void> {
    if (!this.#server) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Cut it the moment somebody says these words to the server: just before they arrive, or just after. */
  async cutAt(words: string, when: 'before' | 'after'): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#listener = (said) => {
        if (!said.includes(words)) return;
        this.#listener = undefined;
        const cut = () => void this.cut().then(resolve, reject);
        if (when === 'before') cut();
        else setImmediate(cut);
      };
    });
  }

  /** Swallow every byte from now on, closing nothing: what a firewall does that has forgotten a connection. */
  fallSilent(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.unpipe().resume();
  }
}
