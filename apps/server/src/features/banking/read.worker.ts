/** Reads statement files in a worker thread. features/banking/reader.ts calls this function by name. */
import { setPriority } from 'node:os';
import type { ReadFile, ReadOptions, StatementLine, StatementMapping } from '@evenkeel/statements/read';
import { readRemembered } from '@evenkeel/statements/read';

// As in platform/pdf/draw.worker.ts, the work is done in a worker thread, so that a large file does not block the
// thread that handles requests.
if (process.platform === 'linux') setPriority(5);

/** A file to read, and the account's saved column mappings by table layout. */
export interface ReadOrder {
  bytes: Uint8Array<ArrayBuffer>;
  options: ReadOptions;
  remembered: readonly (readonly [headerKey: string, mapping: StatementMapping])[];
}

/** The file without its lines. The lines are sent as JSON in parts, so that the receiver can yield between them. */
export type ReadAnswer = { refusal: string } | { file: ReadFile; lines: string[][] };

const TOGETHER = 500;

export function read({ bytes, options, remembered }: ReadOrder): ReadAnswer {
  const reading = readRemembered({ bytes, options }, remembered);
  if ('refusal' in reading) return reading;
  const { file } = reading;
  const lines = file.statements.map((statement) => inParts(statement.lines));
  return { file: { ...file, statements: file.statements.map((each) => ({ ...each, lines: [] })) }, lines };
}

function inParts(lines: readonly StatementLine[]): string[] {
  const parts: string[] = [];
  for (let at = 0; at < lines.length; at += TOGETHER) parts.push(JSON.stringify(lines.slice(at, at + TOGETHER)));
  return parts;
}
