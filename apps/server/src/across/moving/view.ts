import type { Move, MoveFile, MoveProgress } from '@evenkeel/contract/moving';
import { fiscalYearStart, type IsoDate, parseDate } from '@evenkeel/core/dates';
import { cents, sum } from '@evenkeel/core/money';
import { CREATE_RECORD } from '@evenkeel/core/moving/lists';
import { missingFiles } from '@evenkeel/core/moving/sources';
import type { Notice } from '@evenkeel/imports/books';
import type { Recognized } from '@evenkeel/imports/read';
import type { BooksSummary } from '@evenkeel/imports/summary';
import type { SettingRow } from '../../books/company-settings.ts';
import { toCompanySettings } from '../../books/company-settings.ts';
import { plural } from './balances.ts';
import { transactionsMissing, listsOf, type OwnLists } from './lists.ts';
import { accountsOf, type OwnRecords, peopleOf } from './mapping.ts';
import type { MoveFileRow, MoveRow, ProgressRow } from './moving.sql.ts';
import { fileNamed } from './runner.ts';

/** The rows that the view of a move needs. */
export interface MoveFacts {
  move: MoveRow;
  files: readonly MoveFileRow[];
  progress: ProgressRow | undefined;
  settings: readonly SettingRow[];
  own: OwnRecords;
  undo: Move['undo'];
  ownLists: OwnLists;
}

const EMPTY: BooksSummary = {
  files: [],
  system: '',
  company: '',
  from: null,
  to: null,
  basis: null,
  refusals: [],
  warnings: [],
  hasQuestions: false,
  transactions: 0,
  months: {},
  accounts: [],
  people: [],
  items: [],
  documents: { invoices: 0, bills: 0, credits: 0 },
  reportDifferences: [],
  partyDifferences: [],
  compared: 0,
};

const noticeOf = ({ file, row, text }: Notice) => ({ file, text, ...(row === undefined ? {} : { row }) });

const personOf = (id: number | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });

/** Returns a move with everything that the wizard shows. */
export function moveView({ move, files, progress, settings, own, undo, ownLists }: MoveFacts): Move {
  const reading = move.reading ?? EMPTY;
  const { choices } = move;
  const accounts = accountsOf(reading, choices, own);
  const people = peopleOf(reading, choices, own);
  const startMonth = choices.fyStartMonth ?? toCompanySettings(settings).fyStartMonth;
  const suggestedFrom = reading.to === null ? null : fiscalYearStart(reading.to, startMonth);
  const shownFiles = filesOf(files, move);
  const names = new Set(shownFiles.map(({ name }) => name));
  const missing = missingFiles(
    move.system,
    shownFiles.filter(({ refusal }) => refusal === null).map(({ format }) => format),
  );
  const refusals = reading.refusals.filter(
    ({ file, text }) => !reading.files.some(({ refusal }) => refusal?.text === text) || !names.has(file),
  );
  const lists = listsOf(reading, choices, ownLists);
  const products = lists.find(({ kind }) => kind === 'product')?.items ?? [];
  const balances = people.parties.map(({ balance }) => balance);
  return {
    id: move.id,
    rowVersion: move.rowVersion,
    status: move.status,
    system: move.system,
    createdBy: { id: move.createdBy, name: move.createdByName },
    createdAt: move.createdAt.toISOString(),
    files: shownFiles,
    missing,
    refusals: refusals.map(noticeOf),
    warnings: reading.warnings.map(noticeOf),
    company: reading.company,
    from: reading.from,
    to: reading.to,
    basis: reading.basis,
    transactions: reading.transactions,
    fyStartMonth: startMonth,
    history: choices.history ?? null,
    suggestedFrom,
    transactionsSince: since(reading, suggestedFrom),
    accounts,
    debits: cents(accounts.reduce((total, { balance }) => total + Math.max(0, balance), 0)),
    parties: {
      customers: people.parties.filter(({ kind }) => kind === 'customer').length,
      vendors: people.parties.filter(({ kind }) => kind === 'vendor').length,
      toCreate: people.parties.filter(({ action }) => action === 'create').length,
      balance: sum(balances),
      questions: people.questions,
    },
    items: {
      total: reading.items.length,
      toCreate: products.filter(({ value }) => value === CREATE_RECORD).length,
    },
    lists,
    documents: reading.documents,
    blocked: blockedBy({ move, reading, files: shownFiles, accounts, lists, questions: people.questions }),
    progress: progress === undefined ? null : progressOf(progress),
    preview: move.preview,
    report: move.report,
    error: move.error,
    importedBy: personOf(move.importedBy, move.importedByName),
    importedAt: move.importedAt?.toISOString() ?? null,
    undoneBy: personOf(move.undoneBy, move.undoneByName),
    undoneAt: move.undoneAt?.toISOString() ?? null,
    undo,
  };
}

export const progressOf = ({ phase, done, total, day, startedAt, isCanceled }: ProgressRow): MoveProgress => ({
  phase,
  done,
  total,
  date: day,
  startedAt: startedAt.toISOString(),
  cancelable: phase !== 'saving' && !isCanceled,
});

function since({ months }: BooksSummary, from: IsoDate | null): number {
  if (from === null) return 0;
  const month = from.slice(0, 7);
  return Object.entries(months).reduce((total, [own, count]) => total + (own >= month ? count : 0), 0);
}

/** Returns a row for each file, and for each file in an archive or sheet in a workbook. */
function filesOf(files: readonly MoveFileRow[], { reading, status }: MoveRow): MoveFile[] {
  const recognized = reading?.files ?? [];
  const rest = new Set(files);
  const rows = recognized.flatMap((one): MoveFile[] => {
    const file = fileNamed(files, one.file);
    if (file === undefined) return [];
    rest.delete(file);
    return [fileView(file, one, reading?.warnings ?? [])];
  });
  const waiting = [...rest].map((file) => fileView(file, undefined, []));
  const state = status === 'reading' ? ('reading' as const) : ('recognized' as const);
  const order = (file: MoveFile): number => (file.state === 'rejected' ? 0 : 1);
  return [...rows, ...waiting.map((file) => ({ ...file, state }))].toSorted((a, b) => order(a) - order(b));
}

function fileView(file: MoveFileRow, one: Recognized | undefined, warnings: readonly Notice[]): MoveFile {
  const { refusal, questions = [] } = one ?? {};
  const own = warnings.filter((warning) => warning.file === one?.file);
  const isUnused = own.some(({ text }) => text.includes('in this file are not imported'));
  const state =
    refusal !== undefined ? 'rejected' : questions.length > 0 ? 'question' : isUnused ? 'unused' : 'recognized';
  return {
    id: file.id,
    name: one?.file ?? file.name,
    size: file.size,
    sha256: file.sha256.toString('hex'),
    uploadedAt: file.uploadedAt.toISOString(),
    state,
    format: one?.format ?? '',
    label: one?.label ?? '',
    company: one?.company ?? '',
    from: dateOf(one?.from),
    to: dateOf(one?.to),
    basis: one?.basis === 'accrual' || one?.basis === 'cash' ? one.basis : null,
    counts: one?.counts ?? { accounts: 0, parties: 0, items: 0, transactions: 0, documents: 0 },
    questions: questions.map(({ name, choices }) => ({ name, choices })),
    sheet: sheetOf(one),
    warnings: own.map(noticeOf),
    refusal: refusal === undefined ? null : noticeOf(refusal),
  };
}

const dateOf = (text = ''): IsoDate | null => parseDate(text) ?? null;

function sheetOf(one: Recognized | undefined): MoveFile['sheet'] {
  if (one?.sheet === undefined) return null;
  const { kind, headings, mapping, samples = [] } = one.sheet;
  const entries = Object.entries(mapping).flatMap(([field, column]) => (column === undefined ? [] : [[field, column]]));
  return {
    kind,
    headings: [...headings],
    mapping: Object.fromEntries(entries),
    samples: samples.map((row) => [...row]),
  };
}

interface Blocking {
  move: MoveRow;
  reading: BooksSummary;
  files: readonly MoveFile[];
  accounts: Move['accounts'];
  lists: Move['lists'];
  questions: Move['parties']['questions'];
}

/** Returns a message about what the user must do before the next step. */
export function blockedBy({ move, reading, files, accounts, lists, questions }: Blocking): Move['blocked'] {
  const rejected = files.find(({ state }) => state === 'rejected');
  const asking = files.find(({ state }) => state === 'question');
  const [refusal] = reading.refusals;
  const toConfirm = accounts.filter(({ confirmed }) => !confirmed).length;
  const undecided = lists.flatMap(({ items }) => items).filter(({ isDecided }) => !isDecided).length;
  const open = questions.filter(({ answer }) => answer === null).length + undecided;
  const forFiles =
    move.status === 'reading'
      ? 'Wait until the files are read'
      : files.length === 0
        ? 'Add the files to continue'
        : rejected !== undefined
          ? rejected.sheet === null
            ? `Replace or remove ${rejected.name} to continue`
            : `Choose the columns for ${rejected.name}, or remove it to continue`
          : asking !== undefined
            ? `Answer the question about ${asking.name} to continue`
            : refusal !== undefined
              ? refusal.text
              : (transactionsMissing(reading) ?? '');
  const forMatch =
    toConfirm > 0
      ? `Confirm ${plural(toConfirm, 'account')} to continue`
      : open > 0
        ? `Answer ${plural(open, 'question')} to continue`
        : '';
  return { files: forFiles, match: forMatch };
}
