import { Balancer } from './balancer.ts';
import type { Installation, Server } from './installation.ts';

/** Several processes on one database behind a proxy, as described in docs/operations.md. */
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

  /** Adds a process and waits until it gets requests. */
  async add(): Promise<Server> {
    const server = await this.#start();
    this.servers.push(server);
    await this.balancer.add(server.address);
    return server;
  }

  /** Returns the processes that are still running. */
  running(): Server[] {
    return this.servers.filter(({ child }) => child.exitCode === null && child.signalCode === null);
  }

  /** Returns the process that gets this company's requests. */
  busy(companyId: number): Server {
    const found = this.servers.find(({ address }) => this.balancer.isFirst(address, String(companyId)));
    if (found === undefined) throw new Error('no process is ready');
    return found;
  }

  /**
   * Replaces an old process with a new process. The old process is stopped after the proxy has stopped using it.
   * Returns its exit code.
   */
  async replace(old: Server): Promise<number | null> {
    await this.add();
    old.child.kill('SIGTERM');
    await this.balancer.left(old.address);
    // The second signal skips the delay that gives a proxy time to notice.
    return (await old.stop()).code;
  }
}
