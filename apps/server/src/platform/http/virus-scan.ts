import { createConnection, type NetConnectOpts } from 'node:net';
import { Failure } from '@evenkeel/core/failure';

const PART_BYTES = 65_536;
/** The maximum time that a scanner may be silent before it counts as unavailable. */
const PATIENCE_MS = 30_000;

const AWAY = 'The virus scanner is not available. Try again in a moment.';

/**
 * Scans a file with a ClamAV daemon through its INSTREAM command, which takes parts that are preceded by their length
 * and ends with an empty part. Throws 422 for a known virus. Throws 503 if the scanner is unavailable, because files
 * are accepted only after a scan.
 */
export async function requireClean(
  scanner: NetConnectOpts,
  name: string,
  parts: (partBytes: number) => AsyncIterable<Buffer>,
): Promise<void> {
  const answer = await ask(scanner, parts).catch(() => '');
  if (/^stream: OK\b/.test(answer)) return;
  if (/\bFOUND\b/.test(answer)) throw new Failure('rule', `${name || 'The file'} contains a virus and was not saved`);
  throw new Failure('unavailable', AWAY, undefined, { retryAfterSeconds: 30 });
}

function ask(scanner: NetConnectOpts, parts: (partBytes: number) => AsyncIterable<Buffer>): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(scanner);
    let answer = '';
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('the virus scanner did not respond')));
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
    socket.on('connect', () => {
      send(socket, parts).catch((error: unknown) => socket.destroy(error instanceof Error ? error : undefined));
    });
  });
}

async function send(
  socket: ReturnType<typeof createConnection>,
  parts: (partBytes: number) => AsyncIterable<Buffer>,
): Promise<void> {
  const write = (bytes: Buffer | string): Promise<void> =>
    new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));
  await write('zINSTREAM\0');
  for await (const part of parts(PART_BYTES)) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    await write(Buffer.concat([length, part]));
  }
  await write(Buffer.alloc(4));
}
