import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Failure } from '@evenkeel/core/failure';
import { errorAnswer } from './errors.ts';

/**
 * The statuses and messages for errors that occur before a request is parsed. All other errors of this kind have the
 * status 400.
 */
const known: Readonly<Record<string, { status: number; failure: Failure }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, failure: new Failure('too_large', 'The URL or the headers are too long') },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, failure: new Failure('malformed', 'The request took too long to arrive') },
};
const notHttp = { status: 400, failure: new Failure('malformed', 'Malformed request') };

/** Responds in the standard error format to bytes that aren't an HTTP request, and closes their connection. */
export function refuseBytes(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, failure } = known[error.code ?? ''] ?? notHttp;
  const body = JSON.stringify(errorAnswer(failure, randomUUID()).body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
