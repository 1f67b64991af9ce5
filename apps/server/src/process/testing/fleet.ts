import { Balancer } from './balancer.ts';
import type { Installation, Server } from './installation.ts';

/** Several processes on one database, with a proxy in front, as docs/operations.md has it. */
export class Fleet {
  readonly balancer: Balancer;
  readonly servers: Server[] = [];
  readonly #start: () => Promise<Server>;

  private constructor(balancer: Balancer, start: () => Promise<Server>) {
    this.balancer = balancer;
    this.#start = start;
  }

  static async open(
    installation: Installation,
    environment: Readonly<Record<string, string>>,
    count: number,
  ): Promise<Fleet> {
    const balancer = await Balancer.open();
    installation.atEnd(() => balancer.close());
    const fleet = new Fleet(balancer, () => installation.start({ ...environment, DATA_DIR: installation.dataDir() }));
    await Promise.all(Array.from({ length: count }, () => fleet.add()));
    return fleet;
  }

  get address(): string {
    return this.balancer.address;
  }

  /** One more, once it has its share. */
  async add(): Promise<Server> {
    const server = await this.#start();
    this.servers.push(server);
    await this.balancer.add(server.address);
    return server;
  }

  /** Those that were not ended. */
  running(): Server[] {
    return this.servers.filter(({ child }) => child.exitCode === null && child.signalCode === null);
  }

  /** The process that has this company's calls. */
  busy(companyId: number): Server {
    const found = this.servers.find(({ address }) => this.balancer.isFirst(address, String(companyId)));
    if (found === undefined) throw new Error('no process is ready');
    return found;
  }

  /** A fresh process takes over from an old one, which ends once the proxy has left it. Answers the exit code. */
  async replace(old: Server): Promise<number | null> {
    await this.add();
    old.child.kill('SIGTERM');
    await this.balancer.left(old.address);
    // A second signal: nobody need be told any more.
    return (await old.stop()).code;
  }
}
