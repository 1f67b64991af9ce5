import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type pg from 'pg';

/** The driver's wire, as far as COPY needs it. */
interface Wire {
  stream: Readable & Writable;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Bytes that may wait for a slow reader before the connection is told to pause. */
const MOST_WAITING = 4_194_304;

/** A COPY statement as the driver runs it; the two directions override what they hear. */
class CopyStatement {
  readonly text: string;
  wire: Wire | undefined;
  rows = 0;
  error: Error | undefined;
  isDone = false;

  constructor(text: string) {
    this.text = text;
  }

  submit(connection: unknown): void {
    this.wire = connection as Wire;
    this.wire.query(this.text);
  }

  /** Called whenever there is something new to look at. */
  wake(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyData(_message: { chunk: Buffer }): void {}
  handleCopyInResponse(_connection: unknown): void {}

  handleCommandComplete(message: { text: string }): void {
    this.rows = Number(/^COPY (\d+)/.exec(message.text)?.[1] ?? 0);
  }

  handleReadyForQuery(): void {
    this.isDone = true;
    this.wake();
  }

  handleError(error: Error): void {
    this.error ??= error;
    this.isDone = true;
    this.wake();
  }
}

class CopyOut extends CopyStatement {
  chunks: Buffer[] = [];
  waiting = 0;
  private notify: () => void = () => undefined;

  override wake(): void {
    this.notify();
  }

  override handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The driver uses the memory of a message again for the next ones.
    this.chunks.push(Buffer.from(chunk));
    this.waiting += chunk.length;
    if (this.waiting > MOST_WAITING) this.wire?.stream.pause();
    this.notify();
  }

  /** What has come so far, once there is any; nothing more when the statement is done. */
  async take(): Promise<Buffer | undefined> {
    while (this.chunks.length === 0 && !this.isDone) {
      await new Promise<void>((resolve) => {
        this.notify = resolve;
      });
    }
    if (this.error !== undefined) throw this.error;
    if (this.chunks.length === 0) return undefined;
    const taken = Buffer.concat(this.chunks);
    this.chunks = [];
    this.waiting = 0;
    this.wire?.stream.resume();
    return taken;
  }
}

/** `copy … to stdout` → its text, whole lines at a time. The client must not be a pipelining one. */
export async function* copyOut(client: pg.Client, text: string): AsyncGenerator<Buffer> {
  const statement = client.query(new CopyOut(text));
  for (let chunk = await statement.take(); chunk !== undefined; chunk = await statement.take()) yield chunk;
}

class CopyIn extends CopyStatement {
  readonly source: AsyncIterable<Buffer>;
  readonly ended: Promise<void>;
  private finish: () => void = () => undefined;

  constructor(text: string, source: AsyncIterable<Buffer>) {
    super(text);
    this.source = source;
    this.ended = new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  override wake(): void {
    this.finish();
  }

  override handleCopyInResponse(): void {
    this.pump().catch((error: unknown) => {
      this.error ??= error instanceof Error ? error : new Error(String(error));
      this.wire?.sendCopyFail('the source failed');
    });
  }

  private async pump(): Promise<void> {
    const { wire } = this;
    if (wire === undefined) return;
    for await (const chunk of this.source) {
      if (this.isDone) return;
      wire.sendCopyFromChunk(chunk);
      if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain');
    }
    wire.endCopyFrom();
  }
}

/** `copy … from stdin` fed with `source`; answers the rows. The client must not be a pipelining one. */
export async function copyIn(client: pg.Client, text: string, source: AsyncIterable<Buffer>): Promise<number> {
  const statement = client.query(new CopyIn(text, source));
  await statement.ended;
  if (statement.error !== undefined) throw statement.error;
  return statement.rows;
}
