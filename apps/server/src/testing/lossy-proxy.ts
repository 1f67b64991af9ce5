import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * 'answer': the next commit of a write reaches the database, and the response is lost. 'commit': the commit itself is
 * lost. 'silence': the response is lost, and the database hangs from then on.
 */
type Loss = 'answer' | 'commit' | 'silence';

export interface LossyProxy {
  /** The database's URL through the proxy. */
  url: string;
  /**
   * The proxy first lets `passing` commits through. With `holding`, the fault affects the commit that is sent together
   * with this text.
   */
  loseNext(loss: Loss, passing?: number, holding?: string): void;
  /**
   * Hangs like a database that was stopped: the proxy accepts connections and bytes but sends no response. Statements
   * that the client sent in the meantime run after `thaw`, even if the client has disconnected by then. The hang starts
   * with the next packet that contains this text, except for the commit of a read.
   */
  freeze(from: string): void;
  isFrozen(): boolean;
  /** From now on, new connections hang as if the postmaster were hanging, but existing connections still work. */
  freezeNew(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** Starts a proxy to the test PostgreSQL whose connections hang, or break around one commit as in a network failure. */
export async function startLossyProxy(databaseUrl: string): Promise<LossyProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let next: Loss | undefined;
  let before = 0;
  let isNewFrozen = false;
  let held = 'commit';
  let frozen = 'no';
  const server = createServer((client) => {
    const isNewcomer = isNewFrozen;
    /** Runs the work immediately or, during a hang, after the thaw in the same order. */
    const orLater = (work: () => void): void => {
      if (frozen === 'now' || (isNewcomer && isNewFrozen)) waiting.push(work);
      else work();
    };
    const upstream = connectTo(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        orLater(() => upstream.end());
      });
    }
    let deafTo: Loss | undefined;
    let isReading = false;
    client.on('data', (chunk) => {
      if (chunk.includes('begin')) isReading = chunk.includes('read only');
      // The commit of a read isn't awaited, so its loss has no effect.
      const isOfRead = isReading && chunk.includes('commit');
      if (frozen !== 'no' && !isOfRead && chunk.includes(frozen)) frozen = 'now';
      const isCommit = next !== undefined && !isOfRead && chunk.includes('commit') && chunk.includes(held);
      const loss = isCommit && before === 0 ? next : undefined;
      if (isCommit) before -= 1;
      if (loss !== undefined) next = undefined;
      if (loss === 'commit') client.destroy();
      else orLater(() => upstream.write(chunk));
      if (loss !== 'commit') deafTo ??= loss;
    });
    upstream.on('data', (chunk) => {
      // The database's response to the commit means that the commit succeeded. Then the connection is closed.
      if (deafTo === undefined) orLater(() => client.write(chunk));
      else if (!chunk.includes('COMMIT')) return;
      else if (deafTo === 'silence') frozen = 'now';
      else client.destroy();
    });
  });
  const port = await listen(server);
  const url = new URL(`postgresql://${target.username}@127.0.0.1:${port}${target.pathname}`);
  url.password = target.password;
  return {
    url: url.href,
    loseNext: (loss, passing = 0, holding = 'commit') => {
      next = loss;
      before = passing;
      held = holding;
    },
    freeze: (from) => {
      frozen = from;
    },
    isFrozen: () => frozen === 'now',
    freezeNew: () => {
      isNewFrozen = true;
    },
    thaw: () => {
      frozen = 'no';
      isNewFrozen = false;
      for (const work of waiting.splice(0)) work();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function connectTo(target: URL): Socket {
  const host = decodeURIComponent(target.hostname);
  const port = Number(target.port);
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
