import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Certificate } from './certificates.ts';

/** A received event. Events are stored in order of arrival. */
export interface Arrival {
  headers: IncomingHttpHeaders;
  body: string;
  /** The value of the header `webhook-id`. */
  id: string;
  event: Event;
}

interface Event {
  type: string;
  companyId: number;
  requestId: string | null;
  idempotencyKey: string | null;
  data: Record<string, unknown>;
}

export interface Receiver {
  url: string;
  arrivals: Arrival[];
  /** Responds to each event. By default, the status is 200. */
  respond: (arrival: Arrival, reply: ServerResponse) => void;
  close(): Promise<void>;
}

/** Starts a receiver on this machine, which uses TLS if it has a certificate. */
export async function openReceiver(certificate?: Certificate): Promise<Receiver> {
  const take: RequestListener = (request, reply) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const { headers } = request;
      const arrival = { headers, body, id: String(headers['webhook-id']), event: JSON.parse(body) as Event };
      receiver.arrivals.push(arrival);
      receiver.respond(arrival, reply);
    });
  };
  const server = certificate === undefined ? createServer(take) : createSecureServer({ ...certificate }, take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hooks`,
    arrivals: [],
    respond: (_arrival, reply) => void reply.end('ok'),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Verifies a signature with the Standard Webhooks library. Throws for a wrong or expired signature. */
export function verified(secret: string, { headers, body }: Arrival): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
