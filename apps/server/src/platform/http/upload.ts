import { Busboy } from '@fastify/busboy';
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Failure } from '@evenkeel/core/failure';
import { HEAD_BYTES } from '@evenkeel/core/documents/attachments';
import { requireNoTransaction } from '../waits.ts';

/** A complete uploaded file. It is on disk without a name, so that it never outlives the process. */
export interface Upload {
  /** The file name from the sender, which can't be trusted. */
  name: string;
  size: number;
  sha256: Buffer;
  /** The first bytes. */
  head: Buffer;
  /**
   * Yields the bytes from the start, in parts of this size (the last part may be smaller). Can be called several times.
   */
  parts(partBytes: number): AsyncGenerator<Buffer>;
  /** Releases the bytes. */
  close(): Promise<void>;
}

interface Limits {
  /** The folder for the bytes during the upload. */
  folder: string;
  mostMb: number;
}

/** The maximum number of bytes in a body in addition to the file: boundaries and headers. */
const AROUND = 65_536;

const MEGABYTE = 1_048_576;

function tooLarge(mostMb: number): Failure {
  return new Failure('too_large', `A file can be at most ${mostMb} MB`);
}

/** Checks the headers and throws 413 or 415 before any byte of the file is read. */
export function checkUploadHeaders(headers: IncomingHttpHeaders, mostMb: number): void {
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(headers['content-type'] ?? '')) {
    throw new Failure('unsupported_type', 'Send the file as multipart/form-data');
  }
  if (Number(headers['content-length'] ?? 0) > mostMb * MEGABYTE + AROUND) throw tooLarge(mostMb);
}

/**
 * Writes the part `file` of a body to disk as it arrives. Throws 413 as soon as the part is too large, and 400 for an
 * invalid or truncated body. In these cases, the rest of the body isn't read.
 */
export async function receiveUpload(body: Readable, headers: IncomingHttpHeaders, limits: Limits): Promise<Upload> {
  requireNoTransaction('An upload');
  checkUploadHeaders(headers, limits.mostMb);
  const handle = await openNameless(limits.folder);
  try {
    const kept = await readParts(body, headers, { handle, mostMb: limits.mostMb });
    if (kept === undefined) throw new Failure('malformed', 'The request has no part named "file"');
    if (kept.size === 0) throw new Failure('rule', `${kept.name || 'The file'} is empty`);
    return { ...kept, parts: (partBytes) => partsOf(handle, kept.size, partBytes), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opens a new file in the folder, or in the system's temporary folder if the folder isn't writable. */
async function openNameless(folder: string): Promise<FileHandle> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await openIn(folder);
  } catch (error) {
    if (failureOf(error) !== error) throw failureOf(error);
    return openIn(tmpdir());
  }
}

/** The file's name is removed from the folder immediately. */
async function openIn(folder: string): Promise<FileHandle> {
  const path = join(folder, randomUUID());
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

type Kept = Pick<Upload, 'name' | 'size' | 'sha256' | 'head'>;

interface Place {
  handle: FileHandle;
  mostMb: number;
}

function readParts(body: Readable, headers: IncomingHttpHeaders, place: Place): Promise<Kept | undefined> {
  const type = headers['content-type'] ?? '';
  return new Promise((resolve, reject) => {
    let keeping: Promise<Kept> | undefined;
    const stop = (error: unknown): void => {
      body.unpipe();
      body.pause();
      reject(failureOf(error));
    };
    try {
      const limits = { files: 1, fields: 10, fieldSize: 10_000, parts: 20, headerPairs: 50, headerSize: 16_384 };
      const parser = new Busboy({ headers: { ...headers, 'content-type': type }, limits });
      parser.on('file', (field, stream, name) => {
        if (field !== 'file') return void stream.resume();
        keeping = keep(stream, name, place);
        keeping.catch(stop);
      });
      parser.on('error', stop);
      parser.on('finish', () => void Promise.resolve(keeping).then(resolve, stop));
      body.on('error', stop);
      body.on('aborted', () => stop(new Error('the connection was lost')));
      body.pipe(parser);
    } catch (error) {
      stop(error);
    }
  });
}

/** Errors from the parser are the request's fault, but errors from the disk are not. */
function failureOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Failure('unavailable', 'The disk is full, so nothing was saved', undefined, { retryAfterSeconds: 60 });
  }
  if (error instanceof Failure || (typeof code === 'string' && code !== 'ECONNRESET')) return error;
  return new Failure('malformed', 'The multipart/form-data in the request is incomplete');
}

async function keep(stream: Readable, name: string | undefined, { handle, mostMb }: Place): Promise<Kept> {
  const hash = createHash('sha256');
  let [size, head] = [0, Buffer.alloc(0)];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostMb * MEGABYTE) throw tooLarge(mostMb);
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES);
    hash.update(chunk);
    await handle.appendFile(chunk);
  }
  return { name: name ?? '', size, sha256: hash.digest(), head };
}

async function* partsOf(handle: FileHandle, size: number, partBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    const part = Buffer.alloc(Math.min(partBytes, size - at));
    const { bytesRead } = await handle.read(part, 0, part.length, at);
    if (bytesRead === 0) throw new Error('the bytes of an upload are missing');
    yield part.subarray(0, bytesRead);
    at += bytesRead;
  }
}
