import type { StatementMapping, StatementPreview } from '@evenkeel/contract/statements';
import { formatLongDate, isoDate } from '@evenkeel/core/dates';
import { type Cents, cents, formatAmount, sum, ZERO } from '@evenkeel/core/money';
import type { FileColumn, FileField, Mapping } from '../../../ui/table/mapping.ts';

/** The state of a statement import: the column mapping, open questions, and totals. */

/** The fields that a column can provide. Several columns can provide text. */
export type StatementField =
  | 'date'
  | 'text'
  | 'text2'
  | 'text3'
  | 'amount'
  | 'debit'
  | 'credit'
  | 'direction'
  | 'check'
  | 'bankId'
  | 'balance';

/** The fields with their labels. If a field takes a single column, the entry also gives its property in the mapping. */
const FIELDS = [
  { id: 'date', label: 'Date', column: 'dateColumn' },
  { id: 'text', label: 'Description' },
  { id: 'text2', label: 'Description 2' },
  { id: 'text3', label: 'Description 3' },
  { id: 'amount', label: 'Amount', column: 'amountColumn' },
  { id: 'debit', label: 'Money Out', column: 'debitColumn' },
  { id: 'credit', label: 'Money In', column: 'creditColumn' },
  { id: 'direction', label: 'Debit or Credit', column: 'directionColumn' },
  { id: 'check', label: 'Check Number', column: 'checkColumn' },
  { id: 'bankId', label: 'Bank ID', column: 'bankIdColumn' },
  { id: 'balance', label: 'Balance', column: 'balanceColumn' },
] as const satisfies readonly { id: StatementField; label: string; column?: keyof StatementMapping }[];
const PLAIN = FIELDS.flatMap((field) => ('column' in field ? [field] : []));
const TEXTS = ['text', 'text2', 'text3'] as const;
const AMOUNTS: readonly StatementField[] = ['amount', 'debit', 'credit', 'balance'];
const isTextField = (id: StatementField): boolean => TEXTS.some((text) => text === id);

/** Returns the fields to choose from. An amount is required unless money in and money out have their own columns. */
export function statementFields(mapping: Mapping<StatementField>): FileField<StatementField>[] {
  const filled = new Set(Object.values(mapping));
  const isSplit = filled.has('debit') || filled.has('credit');
  return FIELDS.map(({ id, label }) => ({
    id,
    label,
    isRequired: id === 'date' || id === 'text' || (id === 'amount' && !isSplit),
    isAmount: AMOUNTS.includes(id),
    isText: isTextField(id),
  }));
}

const isColumn = (column: number | undefined): column is number => column !== undefined && column >= 0;

/** Converts a mapping from the API to the format of the column table. */
export function shownMapping(mapping: StatementMapping): Mapping<StatementField> {
  const plain = PLAIN.flatMap(({ id, column: name }) => {
    const column = mapping[name];
    return isColumn(column) ? [[String(column), id] as const] : [];
  });
  const texts = (mapping.textColumns ?? []).slice(0, TEXTS.length).flatMap((column, at) => {
    const field = TEXTS[at];
    return field === undefined ? [] : [[String(column), field] as const];
  });
  return Object.fromEntries([...texts, ...plain]);
}

/** Applies the column table to the mapping for the API. −1 means that a field has no column. */
export function withColumns(mapping: StatementMapping, shown: Mapping<StatementField>): StatementMapping {
  const columnOf = (field: StatementField): number => {
    const found = Object.entries(shown).find(([, filled]) => filled === field);
    return found === undefined ? -1 : Number(found[0]);
  };
  const columns = Object.fromEntries(PLAIN.map(({ id, column }) => [column, columnOf(id)]));
  return { ...mapping, ...columns, textColumns: TEXTS.map(columnOf).filter(isColumn) };
}

/** The number of rows that are shown below the pickers. */
export const FIRST = 6;

export type PreviewLine = StatementPreview['lines'][number];

/** Returns the bank transaction for each shown row of the file, or undefined for a row that is not imported. */
export function firstRows({ sample = [], sampleLines = [], lines }: StatementPreview): (PreviewLine | undefined)[] {
  return sample.slice(0, FIRST).map((_, row) => lines[sampleLines[row] ?? -1]);
}

/** Returns the doubtful bank transactions that are not among the shown rows. */
export function otherDoubtful(preview: StatementPreview): PreviewLine[] {
  const shown = new Set(firstRows(preview));
  return preview.lines.filter((line) => line.state === 'doubtful' && !shown.has(line));
}

/** Returns the file's columns with their first values. */
export function columnsOf(preview: StatementPreview): FileColumn[] {
  const { columns = [], sample = [], mapping = {} } = preview;
  const [line] = firstRows(preview);
  const money = [mapping.amountColumn, mapping.debitColumn, mapping.creditColumn];
  return columns.map((header, at) => {
    const samples = sample.slice(0, FIRST).map((row) => row[at] ?? '');
    const [first = ''] = samples;
    const isMoney = line !== undefined && first !== '' && money.includes(at);
    const amount = isMoney ? formatAmount(line.amount) : first;
    return { id: String(at), header, samples, ...(amount === first ? {} : { becomes: `${first} becomes ${amount}` }) };
  });
}

/** Stores the answer to a question in its mapping field. */
export function answered(mapping: StatementMapping, name: string, value: string): StatementMapping {
  if (name === 'turned' || name === 'header') return { ...mapping, [name]: value === 'true' };
  // The word for money out determines the word for money in.
  const { inWord: _, ...others } = mapping;
  if (name === 'outWord') return { ...others, outWord: value };
  return { ...mapping, [name]: name.endsWith('Column') ? Number(value) : value };
}

const REASON_OF_SIGNS = 'This isn’t clear from the file. We’ll remember your answer for this account and file layout.';

const QUESTIONS: Readonly<Record<string, { title: string; reason: string }>> = {
  dateOrder: { title: 'How are the dates written?', reason: 'All dates in the file are ambiguous.' },
  decimal: { title: 'How are the amounts written?', reason: 'All amounts in the file are ambiguous.' },
  dateColumn: { title: 'Which column has the date?', reason: 'The file doesn’t show which date is the posting date.' },
  amountColumn: {
    title: 'Which column has the amount?',
    reason: 'The file doesn’t show which column contains the amount.',
  },
  debitColumn: { title: 'Which column is money out?', reason: 'The other column is money in.' },
  turned: { title: 'Which amounts are money out?', reason: REASON_OF_SIGNS },
  outWord: { title: 'Which word means money out?', reason: REASON_OF_SIGNS },
};

/** Returns the totals of the file. Money in and money out are known only if all rows are loaded. */
export function figuresOf(preview: StatementPreview) {
  const { opening, closing, sum: total, lines, count } = preview;
  const isWhole = lines.length === count;
  const ins = lines.filter(({ amount }) => amount > 0);
  const outs = lines.filter(({ amount }) => amount < 0);
  const side = (some: typeof lines) => ({ count: some.length, amount: sum(some.map(({ amount }) => amount)) });
  const reached = opening === undefined ? undefined : sum([opening, total]);
  const difference: Cents = reached === undefined || closing === undefined ? ZERO : cents(closing - reached);
  return {
    opening,
    closing,
    reached,
    difference,
    total,
    in: isWhole ? side(ins) : undefined,
    out: isWhole ? side(outs) : undefined,
    /** The rows that the import adds, including doubtful ones. */
    added: preview.newCount + preview.doubtfulCount,
  };
}

/** Returns the reason why the file can't be imported yet, or undefined if it can. */
export function openPoint(preview: StatementPreview, isConfirmed: boolean): string | undefined {
  if (preview.questions.length > 0) return 'Answer the questions about the file first';
  if (preview.asksAccountNumber && !isConfirmed) return 'Confirm that the file belongs to this account first';
  if (figuresOf(preview).difference !== 0)
    return "The opening balance plus the transactions doesn't equal the closing balance";
  return preview.newCount + preview.doubtfulCount === 0 && preview.count > 0
    ? 'All transactions in the file have been imported'
    : undefined;
}

/** The order of the questions. A question keeps its place after it is answered. */
const ORDER = ['dateColumn', 'amountColumn', 'debitColumn', 'outWord', 'turned', 'decimal', 'dateOrder'];

/** A row with a question. A question without a value is not answered yet. */
export interface QuestionRow extends AskedQuestion {
  name: string;
  value?: string;
}

/**
 * Returns the questions about the file: open questions, questions that the user answered, and questions that the file
 * or an earlier import answers.
 */
export function questionRows(preview: StatementPreview, said: ReadonlyMap<string, QuestionRow>): QuestionRow[] {
  const rows = new Map(said);
  for (const question of preview.questions) {
    if (rows.has(question.name)) continue;
    const asked = askedQuestion(question);
    const isOfColumns = question.name === 'turned' && preview.columns !== undefined;
    const reason = isOfColumns ? `${positivesIn(preview)} ${BY_COLUMN}` : asked.reason;
    rows.set(question.name, { name: question.name, ...asked, reason });
  }
  for (const { value, proved, ...question } of preview.answers) {
    if (rows.has(question.name)) continue;
    const reason = proved ? provedBy(question.name, preview) : 'You gave this answer last time.';
    rows.set(question.name, { name: question.name, ...askedQuestion(question), reason, value });
  }
  const place = ({ name }: QuestionRow) => ORDER.indexOf(name);
  return [...rows.values()].toSorted((a, b) => place(a) - place(b));
}

const BY_COLUMN = 'If a column shows the direction, choose “Debit or Credit” for that column.';

/** The text shown below an answer that the user gave. */
export const REMEMBERED = 'We remember your answer for this account and file layout.';

/** Returns the reason why the file itself answers a question. */
function provedBy(name: string, preview: StatementPreview): string {
  return name === 'turned'
    ? `This is clear from the file. ${positivesIn(preview)}`.trim()
    : 'This is clear from the file.';
}

/** Returns a sentence that counts the positive amounts in the file. Empty if not all rows have been loaded. */
function positivesIn({ lines, count, mapping }: StatementPreview): string {
  const sign = mapping?.turned === true ? -1 : 1;
  const positive = lines.filter(({ amount }) => amount * sign > 0).length;
  return lines.length < count ? '' : `${positive} of ${count} amounts are positive.`;
}

/** A question with its options. */
export interface AskedQuestion {
  title: string;
  reason: string;
  choices: readonly { value: string; label: string }[];
}

const SIDED = /^(.+) is money (in|out)$/;

/** Returns the question about signs, which asks whether an amount in the file is money in or money out. */
function askedSide(words: { title: string; reason: string }, choices: AskedQuestion['choices']): AskedQuestion {
  const sides = choices.map(({ value, label }) => ({ value, parts: SIDED.exec(label) }));
  const [example] = sides.flatMap(({ parts }) => parts?.[1] ?? []);
  if (example === undefined) return { ...words, choices };
  return {
    ...words,
    title: `Is ${example} money in or money out?`,
    choices: sides.map(({ value, parts }) => ({ value, label: `Money ${parts?.[2] ?? ''}` })),
  };
}

/**
 * Returns the question about words, which asks which of two words means money out, or whether a single word means money
 * out.
 */
function askedWord(words: { title: string; reason: string }, choices: AskedQuestion['choices']): AskedQuestion {
  if (choices.some(({ value }) => value === '')) return askedSide(words, choices);
  return { ...words, choices: choices.map(({ value }) => ({ value, label: value })) };
}

const DATED = /: (.+) is (\d{4}-\d\d-\d\d)$/;

/** Returns the question's text and options. For a date, the options are the possible days. */
export function askedQuestion({ name, choices }: StatementPreview['questions'][number]): AskedQuestion {
  const words = QUESTIONS[name] ?? {
    title: 'How should the file be read?',
    reason: `The meaning of ${name} is unclear.`,
  };
  if (name === 'turned') return askedSide(words, choices);
  if (name === 'outWord') return askedWord(words, choices);
  const days = choices.map(({ value, label }) => ({ value, parts: DATED.exec(label) }));
  const [written] = days.flatMap(({ parts }) => parts?.[1] ?? []);
  if (name !== 'dateOrder' || written === undefined) return { ...words, choices };
  return {
    ...words,
    title: `Which date is ${written}?`,
    choices: days.map(({ value, parts }) => ({ value, label: formatLongDate(isoDate(parts?.[2] ?? '')) })),
  };
}
