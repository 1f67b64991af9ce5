import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMPANY_HEADER } from '@evenkeel/contract/wire';

const CHECK_MS = 100;
/** The proxy's keep-alive time, which is shorter than the processes' keep-alive time. */
const IDLE_MS = 10_000;

interface Behind {
  address: string;
  agent: Agent;
  isReady: boolean;
  /** The number of requests that got a response, and the number of requests in progress. */
  answered: number;
  inFlight: number;
}

/**
 * A proxy as described in docs/operations.md. It sends a company's requests to one of the ready processes, keeps
 * connections open, and passes requests that were not accepted to the next process.
 */
export class Balancer {
  readonly #behind: Behind[] = [];
  readonly #server: Server;
  address = '';
  #isOver = false;

  private constructor() {
    this.#server = createServer((incoming, outgoing) => this.#pass(incoming, outgoing));
    // Prevents the proxy from closing a connection just when a client sends a request.
    this.#server.keepAliveTimeout = 3_600_000;
  }

  static async open(): Promise<Balancer> {
    const balancer = new Balancer();
    await new Promise<void>((resolve) => balancer.#server.listen(0, '127.0.0.1', resolve));
    const address = balancer.#server.address();
    balancer.address = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    void balancer.#check();
    return balancer;
  }

  /** Waits until the process is ready and gets requests. */
  async add(address: string): Promise<void> {
    this.#behind.push({
      address,
      agent: new Agent({ keepAlive: true, timeout: IDLE_MS }),
      isReady: false,
      answered: 0,
      inFlight: 0,
    });
    for (const deadline = Date.now() + 30_000; !this.isReady(address); await sleep(20)) {
      if (Date.now() > deadline) throw new Error(`${address} is not ready`);
    }
  }

  /** Waits until a process gets no more requests and has responded to its last request. */
  async left(address: string): Promise<void> {
    const one = this.#behind.find((each) => each.address === address);
    while (one !== undefined && (one.isReady || one.inFlight > 0)) await sleep(10);
  }

  isReady(address: string): boolean {
    return this.#behind.some((each) => each.address === address && each.isReady);
  }

  /** Returns whether this company's requests go to this process. */
  isFirst(address: string, companyId: string): boolean {
    return this.#order({ [COMPANY_HEADER]: companyId })[0]?.address === address;
  }

  /** Returns the number of requests that each process responded to. */
  answered(): number[] {
    return this.#behind.map(({ answered }) => answered);
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#server.closeAllConnections();
    for (const { agent } of this.#behind) agent.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #check(): Promise<void> {
    while (!this.#isOver) {
      await Promise.all(
        this.#behind.map(async (each) => {
          each.isReady = await fetch(`${each.address}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          );
        }),
      );
      await sleep(CHECK_MS);
    }
  }

  /** Returns the processes that this request can be sent to, in order of preference. */
  #order(headers: IncomingHttpHeaders): Behind[] {
    const key = String(headers[COMPANY_HEADER] ?? headers.authorization ?? '');
    const weight = ({ address }: Behind): string => createHash('sha256').update(`${key} ${address}`).digest('hex');
    return this.#behind.filter(({ isReady }) => isReady).toSorted((a, b) => (weight(a) < weight(b) ? -1 : 1));
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => this.#try(this.#order(incoming.headers), Buffer.concat(parts), { incoming, outgoing }));
  }

  #try(
    [first, ...others]: Behind[],
    body: Buffer,
    through: { incoming: IncomingMessage; outgoing: ServerResponse },
  ): void {
    const { incoming, outgoing } = through;
    if (first === undefined) return void outgoing.writeHead(502).end();
    const { method, url, headers } = incoming;
    const { connection: _, 'transfer-encoding': __, ...passed } = headers;
    const options = { method, headers: { ...passed, 'content-length': body.length }, agent: first.agent };
    first.inFlight += 1;
    const sent = request(new URL(url ?? '/', first.address), options, (answer) => {
      first.answered += 1;
      const { connection: ___, ...answered } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, answered);
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    sent.on('close', () => (first.inFlight -= 1));
    sent.on('error', (error: Error & { code?: string }) => {
      // The connection was refused before a byte was sent, so the request can be sent to the next process. After any
      // other error, the request might have been processed, and the client must decide.
      if (error.code === 'ECONNREFUSED') this.#try(others, body, through);
      else if (!outgoing.headersSent) outgoing.writeHead(502).end();
    });
    sent.end(body);
  }
}
