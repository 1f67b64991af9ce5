import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ask, invoiceOf, paymentOf } from './client.ts';

/** A write that is repeated with the same key and body until it gets a response. */
interface Write {
  path: string;
  key: string;
  body: unknown;
  /** The first response with status 200. */
  reply?: { id: number; invoiceNumber?: string };
}

export interface Refusal {
  status: number;
  retryAfter: string | null;
  body: unknown;
}

/**
 * Clients that post invoices and their payments one after another. As the web app does, they repeat a request with its
 * key if the connection broke or the server asked them to retry. They do this for as long as the load runs.
 */
export class Load {
  /** All writes that were started. */
  readonly writes: Write[] = [];
  /** All responses with a status other than 200. */
  readonly refusals: Refusal[] = [];
  /** The number of requests whose connection broke or was refused. */
  broken = 0;
  /** The times when responses with status 200 arrived (performance.now). */
  readonly successes: number[] = [];
  readonly #running: Promise<void>[];
  readonly #ask: { address: string; token: string };
  #isOver = false;

  readonly #headers: Record<string, string> | undefined;

  constructor(
    { headers, ...target }: { address: string; token: string; headers?: Record<string, string> },
    customers: readonly number[],
  ) {
    this.#ask = target;
    this.#headers = headers;
    this.#running = customers.map((customerId) => this.#client(customerId));
  }

  /** Stops the load. Requests without a response are not repeated. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  answered(path: string): Write[] {
    return this.writes.filter((write) => write.path === path && write.reply !== undefined);
  }

  async #client(customerId: number): Promise<void> {
    for (let count = 1; !this.#isOver; count += 1) {
      const dollars = 100 + (count % 7);
      const invoice = await this.#post('/api/billinginvoice', (key) => invoiceOf(customerId, key, dollars));
      if (invoice !== undefined && count % 2 === 0) {
        await this.#post('/api/billingpayment', () => paymentOf(customerId, invoice.id, dollars - 1));
      }
    }
  }

  async #post(path: string, bodyOf: (key: string) => unknown) {
    if (this.#isOver) return undefined;
    const key = crypto.randomUUID();
    const write: Write = { path, key, body: bodyOf(key) };
    this.writes.push(write);
    while (write.reply === undefined && !this.#isOver) {
      if (!(await this.send(write, this.#ask))) await sleep(50);
    }
    return write.reply;
  }

  /** Sends a write once. Returns true if the response is 200. A broken connection is not a response. */
  async send(write: Write, { address, token }: { address: string; token: string }): Promise<boolean> {
    const sent = ask(address, write.path, {
      token,
      key: write.key,
      body: write.body,
      ...(this.#headers === undefined ? {} : { headers: this.#headers }),
    });
    const answer: Answer | undefined = await sent.catch(() => undefined);
    if (answer === undefined) {
      this.broken += 1;
      return false;
    }
    if (answer.status !== 200) {
      this.refusals.push({
        status: answer.status,
        retryAfter: answer.headers.get('retry-after'),
        body: answer.body,
      });
      return false;
    }
    this.successes.push(performance.now());
    write.reply ??= answer.body as NonNullable<Write['reply']>;
    return true;
  }
}
