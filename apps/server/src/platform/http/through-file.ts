import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes read at a time. */
const PIECE = 65_536;

/** Nobody reads any more what is being made. */
class ReaderGone extends Error {}

/**
 * Text that is made at its own pace and read at another's. The part that is not read yet lies in a file in `folder`,
 * which has no name and is gone with whoever reads it. A failure of `make` is thrown behind the last text that it made;
 * when the reader goes, its next write throws. `told` hears of a failure that comes after the first bytes were read,
 * for nobody else can be told of it.
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
  // It may fail while the reader is slow; the reader hears of it in its own time.
  making.catch(() => undefined);
  try {
    for (;;) {
      const length = Math.min(PIECE, written - read);
      if (length > 0) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, read);
        if (bytesRead === 0) throw new Error('a file that is being made lost its bytes');
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
