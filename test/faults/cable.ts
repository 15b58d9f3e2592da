import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A wire to a TCP server on this machine that can be cut and mended. */
export class Cable {
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
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
    this.#server = createServer((near) => {
      const far = connect(this.#target, '127.0.0.1');
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    }).listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async cut(): Promise<void> {
    const closed = once(this.#server!, 'close');
    this.#server!.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
