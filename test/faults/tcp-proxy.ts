import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A TCP proxy to a local server. It can be cut, swallow all data, and be restored. */
export class TcpProxy {
  #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #isSilent = false;
  #lateMs = 0;
  #listener: ((words: Buffer) => void) | undefined;
  port = 0;

  static async startTo(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await proxy.repair();
    return proxy;
  }
  private constructor(target: number) {
    this.#target = target;
  }

  async repair(): Promise<void> {
    this.#isSilent = false; // only for new connections: swallowed data stays lost
    if (this.#server) return;
    this.#server = createServer((near) => this.#connectToTarget(near)).listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  /** Forwards new connections to another server. The address of this proxy stays the same. */
  leadTo(target: number): void {
    this.#target = target;
  }

  #connectToTarget(near: Socket): void {
    const targetSocket = connect(this.#target, '127.0.0.1').once('close', () => {
      if (!this.#isSilent) near.end();
    });
    for (const socket of [near, targetSocket]) {
      this.#sockets.add(socket);
      socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
    }
    near.on('data', (words) => this.#listener?.(words)); // runs before the data is passed on
    if (this.#isSilent) near.resume();
    else near.pipe(this.#createDelay()).pipe(targetSocket).pipe(this.#createDelay()).pipe(near);
  }

  /** From now on, delays all data by this time in each direction. */
  slowDown(ms: number): void {
    this.#lateMs = ms;
  }
  #createDelay(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, pass) => {
        if (this.#lateMs === 0) pass(null, chunk);
        else setTimeout(pass, this.#lateMs, null, chunk);
      },
    });
  }

  async cut(): Promise<void> {
    if (!this.#server) return;
    const closeEvent = once(this.#server, 'close');
    this.#server.close();
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    await closeEvent;
  }

  /** Cuts the connection when a client sends this text to the server: just before it arrives, or just after. */
  async cutAtMessage(words: string, when: 'before' | 'after'): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#listener = (sent) => {
        if (!sent.includes(words)) return;
        this.#listener = undefined;
        const cut = () => void this.cut().then(resolve, reject);
        if (when === 'before') cut();
        else setImmediate(cut);
      };
    });
  }

  /**
   * Swallows all data from now on without closing connections, like a firewall that has dropped its connection state.
   */
  stopForwarding(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.unpipe().resume();
  }
}
