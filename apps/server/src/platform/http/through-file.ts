import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The number of bytes per read. */
const PIECE = 65_536;

/** The error that is thrown in the writer after the reader has disconnected. */
class ReaderGone extends Error {}

/**
 * Passes text from a writer to a slower reader. Text that has not been read yet is in an unnamed file in `folder`,
 * which disappears with the reader. An error from `make` is thrown after the last text that it wrote. If the reader
 * disconnects, the next write throws. `told` receives any error that occurs after the first bytes were read, because no
 * other code can report it.
 */
export async function* throughFile(
  folder: string,
  make: (write: (text: string) => Promise<void>) => Promise<unknown>,
  told: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  let [written, read] = [0, 0];
  let [isMade, isGone] = [false, false];
  let wake = (): void => undefined;
  const write = async (text: string): Promise<void> => {
    if (isGone) throw new ReaderGone();
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;)
      at += (await file.write(bytes, at, bytes.length - at, written + at)).bytesWritten;
    written += bytes.length;
    wake();
  };
  const making = make(write).finally(() => {
    isMade = true;
    wake();
  });
  // The writer may fail while the reader is slow. The reader gets the error when it reaches the end of the text.
  making.catch(() => undefined);
  try {
    for (;;) {
      const length = Math.min(PIECE, written - read);
      if (length > 0) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, read);
        if (bytesRead === 0) throw new Error('the bytes of a generated file are missing');
        read += bytesRead;
        yield buffer.subarray(0, bytesRead);
      } else if (isMade) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    await making;
  } catch (error) {
    if (read > 0) told(error);
    throw error;
  } finally {
    isGone = true;
    await making.catch(() => undefined);
    await file.close();
  }
}
