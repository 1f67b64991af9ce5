import { createHmac, randomBytes } from 'node:crypto';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { monotonic } from '../../platform/clock.ts';
import { checkedLookup, type Resolve, targetFault } from './targets.ts';

/** Signs events and sends them, according to the Standard Webhooks specification. */

const MARK = 'whsec_';
const SECRET_BYTES = 32;

/** Returns a new secret in the format that libraries for Standard Webhooks accept. */
export const newSecret = (): string => `${MARK}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** An event as it is sent: the ID, the time of the attempt in seconds, and the body. */
export interface Signed {
  id: string;
  seconds: number;
  body: string;
}

/** Returns the value of the `webhook-signature` header, with one signature for each secret. */
export function signatureOf(secrets: readonly string[], { id, seconds, body }: Signed): string {
  return secrets
    .map((secret) => createHmac('sha256', Buffer.from(secret.slice(MARK.length), 'base64')))
    .map((hmac) => `v1,${hmac.update(`${id}.${seconds}.${body}`).digest('base64')}`)
    .join(' ');
}

/** The result of an attempt. Without a response, the status is null, and the error contains the reason. */
export interface Outcome {
  status: number | null;
  milliseconds: number;
  error: string | null;
  response: string | null;
}

/** The settings for sending events. */
export interface Posting {
  allowsPrivate: boolean;
  resolve: Resolve;
  /** The time limit for an attempt, including reading the response. */
  answerMs: number;
  signal: AbortSignal;
}

/** The maximum number of bytes that are read from a response, and the number of characters that are stored. */
const MOST_BYTES = 65_536;
const MOST_STORED = 1000;

/** Sends a body to a URL and waits for the response. Redirects are not followed. Never throws. */
export async function post(
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  { allowsPrivate, resolve, answerMs, signal }: Posting,
): Promise<Outcome> {
  const startedAt = monotonic();
  const limit = AbortSignal.timeout(answerMs);
  let status: number | null = null;
  let text = '';
  try {
    // Node.js doesn't look up hosts that are IP addresses, so they are checked here.
    const fault = targetFault(url, allowsPrivate);
    if (fault !== '') throw new Error(fault);
    const target = new URL(url);
    const request = target.protocol === 'https:' ? requestSecure : requestPlain;
    await new Promise<void>((resolved, rejected) => {
      const sent = request(target, {
        method: 'POST',
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        agent: false,
        // NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect on webhooks.
        rejectUnauthorized: true,
        lookup: checkedLookup(resolve, allowsPrivate),
        signal: AbortSignal.any([limit, signal]),
      });
      sent.on('error', rejected);
      sent.on('response', (response) => {
        status = response.statusCode ?? null;
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (text.length < MOST_STORED) text += chunk.toString('utf8');
          if (bytes <= MOST_BYTES) return;
          response.destroy();
          resolved();
        });
        response.on('end', resolved);
        response.on('error', rejected);
      });
      sent.end(body);
    });
    return { status, milliseconds: since(startedAt), error: faultOf(status), response: stored(text) };
  } catch (error) {
    const reason = limit.aborted ? `No complete response within ${answerMs / 1000} seconds` : reasonOf(error, url);
    return { status, milliseconds: since(startedAt), error: reason, response: stored(text) };
  }
}

const since = (startedAt: number): number => Math.round(monotonic() - startedAt);

/** PostgreSQL can't store the NUL character. */
const stored = (text: string): string => text.replaceAll('\0', '').slice(0, MOST_STORED);

const UNTRUSTED = 'is not from a trusted authority';

/** The faults of a receiver's certificate, by Node.js error code. */
const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  CERT_REVOKED: 'has been revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

function reasonOf(error: unknown, url: string): string {
  if (!(error instanceof Error)) return String(error);
  const fault = 'code' in error ? CERTIFICATE_FAULTS[String(error.code)] : undefined;
  if (fault !== undefined) return `The certificate of ${new URL(url).hostname} ${fault}`.slice(0, MOST_STORED);
  // If a host has several addresses, the combined error has no message, so the first address's error is used.
  const [first = error]: unknown[] = error instanceof AggregateError ? error.errors : [];
  return (first instanceof Error ? first.message : String(first)).replaceAll('\0', '').slice(0, MOST_STORED);
}

/** Returns the reason why a response is a failure, or null for a successful one. */
function faultOf(status: number | null): string | null {
  if (status !== null && status >= 200 && status < 300) return null;
  if (status !== null && status >= 300 && status < 400)
    return 'The response is a redirect, and Evenkeel does not follow redirects';
  return `The response has the status ${status ?? 0}`;
}
