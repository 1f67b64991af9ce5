import type { SqlJsStatic } from 'sql.js';
import { Failure } from '@evenkeel/core/failure';
import { textOf, textParts } from '@evenkeel/statements/charset';
import {
  emptyBooks,
  type Notice,
  noticeAt,
  type Question,
  Refusal,
  refusalAt,
  type SourceBooks,
  type SourceSystem,
} from './books.ts';
import { MAX_BYTES, MAX_FILES } from './limits.ts';
import { chartOf, merged, type ReadPart } from './merge.ts';
import { includedBy } from './plainText.ts';
import type { Choices, OpenFile, Reader, SheetFacts, TypeOf } from './reader.ts';
import { readers } from './readers.ts';
import { sheetFactsIn, spreadsheet } from './spreadsheets.ts';
import { NO_ROWS, type Table, tableOf } from './table.ts';
import { isSqlite, openSqlite, type SqliteFile } from './sqlite.ts';
import { sheetsOf } from './xlsx.ts';
import { gunzip, type ImportFile, isGzip, isZip, unzip } from './zip.ts';

/** A file's format and contents, for the list that the user confirms. */
export interface Recognized {
  /** The name of the file, with the archive or sheet that contains the data. */
  file: string;
  /** Undefined if the file has no known format. */
  format?: string;
  label?: string;
  system?: SourceSystem;
  company?: string;
  from?: string;
  to?: string;
  basis?: string;
  counts: { accounts: number; parties: number; items: number; transactions: number; documents: number };
  /** For spreadsheets: the kind of records, the headings, and the column of each field. */
  sheet?: SheetFacts;
  questions: Question[];
  warnings: Notice[];
  /** The reason why the file can't be imported. */
  refusal?: Notice;
}

/** The result of reading files, as plain data. */
export interface Reading {
  files: Recognized[];
  books: SourceBooks;
}

/** An opened file, and the reader that recognized it. */
interface Opened {
  file: OpenFile;
  reader: Reader | undefined;
}

const NO_COUNTS: Recognized['counts'] = { accounts: 0, parties: 0, items: 0, transactions: 0, documents: 0 };

/**
 * Recognizes files by their content, and lists the contents of each file. A file that can't be read does not cause an
 * exception: its entry has a `refusal`, which is a sentence that includes the file and the row.
 */
export const recognize = (files: readonly ImportFile[], choices: Choices = {}): Recognized[] =>
  read(files, choices).files;

/**
 * Reads files that were chosen together as one set of books. Amounts are whole cents, and debits are positive. Every
 * subtotal, running balance, and total in a file has been checked. If `books.refusals` is not empty, nothing may be
 * imported. While `books.questions` is not empty, dates may be wrong. The result is plain data, so that a worker thread
 * can send it. For SQLite databases, the caller passes the loaded SQLite program as `sqlite`, because loading is
 * asynchronous.
 */
export function read(files: readonly ImportFile[], choices: Choices = {}, sqlite?: SqlJsStatic): Reading {
  return readOwned([...files], choices, sqlite);
}

/** Like `read`, but empties the list, so that the memory of a file can be freed before all files have been read. */
export function readOwned(files: ImportFile[], choices: Choices = {}, sqlite?: SqlJsStatic): Reading {
  const refused: Recognized[] = [];
  const opened: Opened[] = [];
  const waiting = expanded(files.splice(0), refused);
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const { name, bytes } = file;
    opened.push(...attempt(name, refused, () => openOne({ name, bytes }, choices, sqlite)));
  }
  // A journal may include a file with any content.
  const texts = new Map(
    opened.flatMap(({ file, reader }) =>
      file.head !== undefined && (reader === undefined || reader.isText === true) ? [[file.name, file.text()]] : [],
    ),
  );
  const included = includedBy(texts);
  const parts = new Map<Opened, ReadPart>();
  const results: Recognized[] = [];
  const own = opened.filter(({ file }) => !included.has(file.name));
  const withOthers = own.map((one) => ({ ...one, file: { ...one.file, others: texts } }));
  const readAll = (isList: boolean, typeOf: TypeOf): void => {
    for (const one of withOthers) {
      const { file, reader } = one;
      if (reader === undefined || (reader.isList ?? false) !== isList) continue;
      const facts = reader === spreadsheet ? sheetFactsIn(file, choices) : undefined;
      const before = refused.length;
      results.push(...attempt(file.name, refused, () => [readOne(one, { choices, typeOf, parts })]));
      // The user may choose other columns after an error.
      for (const entry of refused.slice(before)) if (facts !== undefined) entry.sheet = facts;
      file.release();
    }
  };
  readAll(true, () => undefined);
  readAll(false, chartOf([...parts.values()], undefined).typeOf);
  for (const { file, reader } of own) {
    if (reader === undefined) refused.push(unknown(file, choices));
  }
  const inOrder = withOthers.flatMap((one) => parts.get(one) ?? []);
  const books = inOrder.length === 0 ? emptyBooks() : merged(inOrder);
  books.refusals.unshift(...refused.flatMap(({ refusal }) => refusal ?? []));
  return { files: [...results, ...refused], books };
}

function readOne(
  one: Opened,
  { choices, typeOf, parts }: { choices: Choices; typeOf: TypeOf; parts: Map<Opened, ReadPart> },
): Recognized {
  const { file, reader } = one;
  if (reader === undefined) throw new Error(`no reader for ${file.name}`);
  const books = reader.read(file, choices, typeOf);
  const system = books.system ?? reader.system;
  parts.set(one, { file: file.name, format: reader.format, system, books });
  return {
    file: file.name,
    format: reader.format,
    label: reader.label,
    system,
    ...(books.company === undefined ? {} : { company: books.company }),
    ...(books.from === undefined ? {} : { from: books.from }),
    ...(books.to === undefined ? {} : { to: books.to }),
    ...(books.basis === undefined ? {} : { basis: books.basis }),
    counts: {
      accounts: books.accounts?.length ?? 0,
      parties: books.parties?.length ?? 0,
      items: books.items?.length ?? 0,
      transactions: books.transactions?.length ?? 0,
      documents: books.documents?.length ?? 0,
    },
    ...(books.sheet === undefined ? {} : { sheet: books.sheet }),
    questions: books.questions ?? [],
    warnings: books.warnings ?? [],
  };
}

/** Runs a step for one file. If the step throws a Refusal, adds it to `refused`. */
function attempt<T>(file: string, refused: Recognized[], step: () => T[]): T[] {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const refusal = error instanceof Refusal ? error.notice : noticeAt(file, error.message);
    refused.push({ file, counts: NO_COUNTS, questions: [], warnings: [], refusal });
    return [];
  }
}

function unknown(file: OpenFile, choices: Choices): Recognized {
  const sheet = sheetFactsIn(file, choices);
  const sentence =
    "Evenkeel doesn't recognize this file. Export one of the listed reports with its default columns as Excel or CSV" +
    (sheet === undefined ? '.' : ', or choose the columns if the file is your own spreadsheet.');
  const refusal = noticeAt(file.name, sentence);
  const found = sheet === undefined ? {} : { sheet };
  return { file: file.name, counts: NO_COUNTS, questions: [], warnings: [], ...found, refusal };
}

/** Returns the files, with each archive replaced by the files in it. */
function expanded(files: readonly ImportFile[], refused: Recognized[]): ImportFile[] {
  const found = files.flatMap((file) =>
    attempt(file.name, refused, () => {
      const { name, bytes } = file;
      if (bytes.length > MAX_BYTES) {
        throw refusalAt(name, 'The file is larger than 100 MB. Export it in parts, for example year by year.');
      }
      if (isGzip(bytes)) return [{ name, bytes: gunzip(file) }];
      if (!isZip(bytes)) return [file];
      const entries = unzip(
        file,
        (entry) => !/^(__MACOSX\/|.*\/\.)/.test(entry) && !/\.(png|jpe?g|gif|pdf)$/i.test(entry),
      );
      if (entries.has('xl/workbook.xml')) return [file];
      return [...entries].map(([entry, content]) => ({ name: `${name}/${entry}`, bytes: content }));
    }),
  );
  if (found.length > MAX_FILES) throw refusalAt(found[0]?.name ?? '', `Choose at most ${MAX_FILES} files at a time`);
  return found;
}

const isOldExcel = (bytes: Uint8Array): boolean => bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11;

const HEAD_BYTES = 65_536;
/** The size in bytes at which the rows of a file are parsed again for each pass instead of being stored. */
const LARGE_BYTES = 16 * 1024 * 1024;

function openOne(file: ImportFile, choices: Choices, sqlite: SqlJsStatic | undefined): Opened[] {
  const { name, bytes } = file;
  if (isZip(bytes)) {
    return sheetsOf(file).map((table) => {
      let own: Table = table;
      const release = (): void => {
        own = { file: table.file, rows: NO_ROWS };
      };
      return withReader({ name: table.file, text: () => '', table: () => own, release, others: new Map() }, choices);
    });
  }
  if (isOldExcel(bytes)) {
    throw refusalAt(
      name,
      'The file is an old or protected Excel file. Save it as a workbook (.xlsx) without a password.',
    );
  }
  if (isSqlite(bytes)) {
    let content: Uint8Array | undefined = bytes;
    const database = (): SqliteFile => openSqlite({ name, bytes: content ?? new Uint8Array() }, sqlite);
    const release = (): void => {
      content = undefined;
    };
    const noRows = { file: name, rows: NO_ROWS };
    return [withReader({ name, text: () => '', table: () => noRows, database, release, others: new Map() }, choices)];
  }
  const [head = ''] = textParts(bytes, HEAD_BYTES);
  if (head.trim() === '' && textOf(bytes).trim() === '') throw refusalAt(name, 'The file is empty');
  if (/^\s*<(!doctype html|html)/i.test(head.slice(0, 1000))) {
    throw refusalAt(name, 'The file is a web page. Export the report as Excel or CSV instead.');
  }
  const isLarge = bytes.length > LARGE_BYTES;
  let content: Uint8Array | undefined = bytes;
  let table: Table | undefined;
  const opened = withReader(
    {
      name,
      head,
      text: () => (content === undefined ? '' : textOf(content)),
      table: () => (table ??= tableOf(name, () => textParts(content ?? new Uint8Array()), isLarge)),
      release: () => {
        content = undefined;
        table = { file: name, rows: NO_ROWS };
      },
      others: new Map(),
    },
    choices,
  );
  // After a small table has been read, its bytes are no longer needed.
  const isRead = table !== undefined && opened.reader !== undefined && opened.reader.isText !== true;
  if (isRead && !isLarge) content = undefined;
  return [opened];
}

function withReader(file: OpenFile, choices: Choices): Opened {
  const isXml = file.head !== undefined && /^\s*<\?xml/.test(file.head.slice(0, 200));
  const reader = readers.find((one) => (isXml ? one.format.endsWith('xml') : one.recognizes(file, choices)));
  return { file, reader };
}
