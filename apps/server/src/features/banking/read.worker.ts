/** Reading of statement files in a thread of its own: features/banking/reader.ts calls this function by name. */
import { setPriority } from 'node:os';
import type { ReadFile, ReadOptions, StatementLine, StatementMapping } from '@evenkeel/statements/read';
import { readRemembered } from '@evenkeel/statements/read';

// As platform/pdf/draw.worker.ts: a large file leaves the processor to those who answer requests.
if (process.platform === 'linux') setPriority(5);

/** A file to be read, and the mappings of the account by the name of a table's layout. */
export interface ReadOrder {
  bytes: Uint8Array;
  options: ReadOptions;
  remembered: readonly (readonly [headerKey: string, mapping: StatementMapping])[];
}

/** The file without its lines, which come as JSON in parts: whoever takes them apart may give way in between. */
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
