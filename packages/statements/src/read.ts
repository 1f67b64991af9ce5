import { Failure, refuse } from '@evenkeel/core/failure';
import { oneForEach, withPeriod } from './accounts.ts';
import { readBai2 } from './bai2.ts';
import { readCamt } from './camt.ts';
import { textOf } from './charset.ts';
import { readCsv } from './csv.ts';
import { readMt940 } from './mt940.ts';
import { readOfx } from './ofx.ts';
import { readQif } from './qif.ts';
import { MOST_BYTES, type ReadFile, type ReadOptions, type StatementMapping, unreadable } from './statement.ts';

export type {
  AccountKind,
  ReadFile,
  ReadOptions,
  ReadStatement,
  StatementAnswer,
  StatementFormat,
  StatementLine,
  StatementMapping,
  StatementQuestion,
} from './statement.ts';
export { MOST_BYTES, MOST_LINES } from './statement.ts';

type Reader = (text: string, given?: StatementMapping) => ReadFile;

/** The formats, which are recognized by the start or the content of a file. Other text is read as a table. */
const READERS: [(start: string, text: string) => boolean, Reader][] = [
  [(start) => /OFXHEADER|<OFX[>\s]|<(BANKMSGSRSV1|CREDITCARDMSGSRSV1|STMTRS)>/i.test(start), readOfx],
  [(start) => /^\s*<(\?xml|!--|([\w-]+:)?Document\b)/.test(start) && !/<html/i.test(start), readCamt],
  [(start) => /^\s*01,[^\n]*(\n\s*|\/ *)02,/.test(start), readBai2],
  [(start) => /(^|\n|\{4:\s*):(20|25):/.test(start) && /:(60[FM]|61|62[FM]):/.test(start), readMt940],
  [
    (start) => /^\s*!(type|account|option|clear)/i.test(start) || /^\s*D[^\n]{5,10}\n[TUPMNCL][^\n]*\n/.test(start),
    readQif,
  ],
];

/** The number of characters at the start that are used to identify a format. Some banks begin with comments. */
const START = 20_000;

/** The maximum number of accounts in a file, which no bank exceeds. */
const MOST_ACCOUNTS = 1000;

/** Throws an error that describes why text is not a statement. */
function refuseOthers(start: string): void {
  if (/^\s*<(!doctype html|html)/i.test(start))
    throw unreadable({ row: 1 }, 'The file is a web page, not a bank statement');
  if (/^\s*[{[]\s*["{[]/.test(start)) throw unreadable({ row: 1 }, 'The file is JSON, not a bank statement');
  if (start.trim() === '') throw unreadable({ row: 1 }, 'The file is empty');
}

/**
 * Reads a bank statement file and detects its format. Throws a Failure (422) for anything that cannot be read and for
 * balances that don't match the transactions. The message of the Failure is one sentence with the line and column, and
 * no part of the file is returned. The balances of tables (CSV, TSV) are not checked here, so that the user can correct
 * the mapping. Call `checkBalance` before the transactions are saved. While `questions` is not empty, amounts or dates
 * are unknown, and nothing may be saved.
 */
export function readStatementFile(bytes: Uint8Array, options: ReadOptions = {}): ReadFile {
  try {
    if (bytes.length > MOST_BYTES) throw refuse('Line 1: The file is larger than 25 MB');
    return readText(textOf(bytes), options);
  } catch (error) {
    if (!(error instanceof Failure) || options.fileName === undefined) throw error;
    throw new Failure(error.code, `${options.fileName}: ${error.message}`);
  }
}

function readText(text: string, { mapping, accountKind }: ReadOptions): ReadFile {
  const start = text.slice(0, START);
  refuseOthers(start);
  const reader = READERS.find(([isIt]) => isIt(start, text))?.[1];
  const file = reader === undefined ? readCsv(text, mapping, accountKind) : reader(text, mapping);
  const statements = reader === undefined ? file.statements.map(withPeriod) : oneForEach(file.statements);
  if (statements.length > MOST_ACCOUNTS) throw unreadable({ row: 1 }, 'The file has more than 1,000 accounts');
  return { ...file, statements };
}

/** The result of reading a file, as plain data. */
export type Reading = { file: ReadFile } | { refusal: string };

/**
 * Reads a file like `readInThread`, with an account's saved mappings by table layout. The start of the table is
 * determined for each file. If the file contradicts a mapping, the mapping is ignored and the user is asked again.
 */
export function readRemembered(
  ask: Parameters<typeof readInThread>[0],
  remembered: readonly (readonly [headerKey: string, mapping: StatementMapping])[],
): Reading {
  const reading = readInThread(ask);
  if (!('file' in reading) || ask.options?.mapping !== undefined) return reading;
  const known = remembered.find(([key]) => key === reading.file.headerKey)?.[1];
  if (known === undefined) return reading;
  const { skip: _skip, header: _header, separator: _separator, ...mapping } = known;
  const again = readInThread({ ...ask, options: { ...ask.options, mapping } });
  return 'file' in again ? again : reading;
}

/**
 * Reads a file like `readStatementFile`, but for a worker thread. Failures are returned as plain data, because an error
 * that is thrown across threads loses its class.
 */
export function readInThread({ bytes, options }: { bytes: Uint8Array; options?: ReadOptions }): Reading {
  try {
    return { file: readStatementFile(bytes, options) };
  } catch (error) {
    if (error instanceof Failure) return { refusal: error.message };
    throw error;
  }
}
