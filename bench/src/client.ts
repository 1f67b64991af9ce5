import { Agent, request } from 'node:http';
import { Client as TypedClient, type FileInput } from '@evenkeel/client/client';
import type { Endpoint, ReplyOf } from '@evenkeel/contract/endpoint';
import type { CallInput } from '@evenkeel/contract/request';
import { decode } from '@evenkeel/contract/wire';

/** A raw response. */
export interface Answer {
  status: number;
  text: string;
}

export interface Asking {
  token?: string;
  /** The Idempotency-Key. */
  key?: string;
  /** The JSON body. */
  body?: string;
  /** Other headers. */
  headers?: Record<string, string>;
}

/** A client that keeps its connections open. */
export interface Client {
  send(method: string, path: string, asking: Asking): Promise<Answer>;
  /** Calls an endpoint. `path` has its parameters filled in. Throws for any status except 200. */
  call<E extends Endpoint>(endpoint: E, ask: { token?: string; body?: unknown; path?: string }): Promise<ReplyOf<E>>;
  close(): void;
}

/** Opens a client for the server at `base` (http://host:port) with at most `connections` simultaneous connections. */
export function openClient(base: string, connections: number): Client {
  const { hostname, port } = new URL(base);
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  const send: Client['send'] = (method, path, { token, key, body, headers: others }) =>
    new Promise((resolve, reject) => {
      const headers: Record<string, string | number> = { ...others };
      if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
      if (key !== undefined) headers['idempotency-key'] = key;
      if (body !== undefined) {
        headers['content-type'] = 'application/json';
        headers['content-length'] = Buffer.byteLength(body);
      }
      const options = { agent, hostname, port, method, path: `/api${path}`, headers };
      const sent = request(options, (reply) => {
        let text = '';
        reply.setEncoding('utf8');
        reply.on('data', (piece: string) => (text += piece));
        reply.on('error', reject);
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return {
    send,
    call: async (endpoint, { token, body, path = endpoint.path }) => {
      const asking = {
        ...(token === undefined ? {} : { token }),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
      const { status, text } = await send(endpoint.method, path, asking);
      if (status !== 200) throw new Error(`${endpoint.method} ${path}: ${status} ${text}`);
      return readReply(endpoint, text);
    },
    close: () => agent.destroy(),
  };
}

/** Returns the body of a call that runs a report with these parameters. */
export const reportBody = (parameters: Readonly<Record<string, string>>) => ({
  reportParams: Object.entries(parameters).map(([paramName, paramvalue]) => ({ paramType: 1, paramName, paramvalue })),
});

/** Runs a report and returns the text of its response. */
export async function askReport(
  client: Client,
  { token, id, parameters }: { token: string; id: number; parameters: Readonly<Record<string, string>> },
): Promise<string> {
  const body = JSON.stringify(reportBody(parameters));
  const { status, text } = await client.send('POST', `/reports/${id}`, { token, body });
  if (status !== 200) throw new Error(`report ${id}: ${status} ${text}`);
  return text;
}

function readReply<E extends Endpoint>(endpoint: E, text: string): ReplyOf<E>;
function readReply(endpoint: Endpoint, text: string): unknown {
  if (typeof endpoint.reply === 'string') throw new Error(`${endpoint.path} returns a file`);
  return decode(endpoint.reply, JSON.parse(text));
}

/** Uploads a file with a call that takes one. Throws if the server rejects the file or doesn't respond. */
export function upload<E extends Endpoint & { takes: 'file' }>(
  { url, token }: { url: string; token: string },
  endpoint: E,
  input: CallInput<E> & { file: FileInput },
): Promise<ReplyOf<E>> {
  return new TypedClient({ address: url, key: token, attempts: 1 }).call(endpoint, input);
}
