import { createHash, randomBytes } from 'node:crypto';
import { attachmentCalls, type StoredDocument } from '@evenkeel/contract/uploads';
import type { TestApp } from './app.ts';

const BOUNDARY = '----a-boundary';

/** Returns a request body with a single part, in the form that a browser sends. */
export function multipart(name: string, bytes: Buffer | string, field = 'file') {
  const quoted = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"; filename="${quoted}"\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${head}content-type: text/html\r\n\r\n`),
    Buffer.from(bytes),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
  return { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }, body };
}

/** Uploads a file as a user. */
export function upload(
  t: TestApp,
  token: string,
  { name = 'receipt.pdf', bytes = `%PDF-1.7 ${name}`, key }: { name?: string; bytes?: Buffer | string; key?: string },
): Promise<StoredDocument> {
  const { headers, body } = multipart(name, bytes);
  const keyed = key === undefined ? headers : { ...headers, 'idempotency-key': key };
  return t.call(attachmentCalls.uploadDocument, { token, headers: keyed, body });
}

/** Returns unique bytes that can't be compressed. */
export const randomFile = (size: number): Buffer => Buffer.concat([Buffer.from('%PDF-'), randomBytes(size - 5)]);

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
