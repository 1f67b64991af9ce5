import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** The traffic, since the last reset, on the connections to a watched database. */
export interface Traffic {
  /** The number of requests that got a response. Statements that are sent together count as a single request. */
  roundTrips: number;
  /** The total time from the first byte of each request to the last byte of its response, in ms. */
  milliseconds: number;
}

export interface WatchedDatabase {
  /** The database's URL through the relay. */
  url: string;
  reset(): void;
  traffic(): Traffic;
  stop(): Promise<void>;
}

export interface Target {
  host: string;
  port: number;
  user: string;
  database: string;
}

function reach({ host, port }: Target): Socket {
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
}

/**
 * Starts a relay between a server and its PostgreSQL. The relay counts round trips and measures how long they take,
 * including the time that the relay itself needs.
 */
export async function watchDatabase(target: Target): Promise<WatchedDatabase> {
  const seen: Traffic = { roundTrips: 0, milliseconds: 0 };
  const sockets = new Set<Socket>();
  const relay = createServer({ noDelay: true }, (client) => {
    const database = reach(target);
    let askedAt: number | undefined;
    client.on('data', (bytes) => {
      if (askedAt === undefined) {
        askedAt = performance.now();
        seen.roundTrips += 1;
      }
      database.write(bytes);
    });
    let countedTo = 0;
    database.on('data', (bytes) => {
      client.write(bytes);
      const now = performance.now();
      seen.milliseconds += now - Math.max(askedAt ?? countedTo, countedTo);
      countedTo = now;
      askedAt = undefined;
    });
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const port = await listen(relay);
  return {
    url: `postgresql://${target.user}@127.0.0.1:${port}/${target.database}`,
    reset: () => void Object.assign(seen, { roundTrips: 0, milliseconds: 0 }),
    traffic: () => ({ ...seen }),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}

function listen(relay: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) => {
    relay.once('error', reject);
    relay.listen(0, '127.0.0.1', () => {
      const address: AddressInfo | string | null = relay.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
