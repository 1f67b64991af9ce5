import { parseDate } from '@evenkeel/core/dates';
import type { Basis, ReportBasis } from '@evenkeel/core/books/ledger';
import { cents, negate } from '@evenkeel/core/money';
import type { Cents } from '@evenkeel/core/money';
import type {
  Expectation,
  ExpectedAmounts,
  ExpectedEntries,
  ExpectedReport,
  ExpectedReturn,
  ExpectedRow,
  ReportName,
} from './scenario.ts';
import { returnFigureNames, scenarioDocuments } from './scenario.ts';
import { accountOf, amountOf, cellsOf, faultAt } from './text.ts';
import type { Words } from './text.ts';

interface Row {
  at: number;
  text: string;
}

const BASES: Record<string, Basis> = { both: 'B', accrual: 'A', cash: 'C' };

/** Reads the words after `expect`, and the rows below the statement. */
export function parseExpectation(words: Words, rows: readonly Row[]): Expectation {
  if (words.has('open')) return readOpen(words);
  if (words.has('invoice')) return readAmounts('invoice', words);
  if (words.has('bill')) return readAmounts('bill', words);
  if (words.has('return')) return readReturn(words, rows);
  if (words.has('entries')) return readEntries(words, rows);
  for (const report of ['trial-balance', 'profit-loss', 'balance-sheet'] as const) {
    if (words.has(report)) return readReport(report, words, rows);
  }
  throw faultAt(words.at, `'${words.peek() ?? ''}' cannot be expected`);
}

function readOpen(words: Words): ExpectedAmounts {
  const document = words.has('bill') ? 'bill' : 'invoice';
  if (document === 'invoice') words.need('invoice');
  const key = words.take('a number');
  return { kind: 'amounts', document, key, openAmount: words.amount(), invoiceAmount: null, salesTaxAmount: null };
}

function readAmounts(document: ExpectedAmounts['document'], words: Words): ExpectedAmounts {
  const key = words.take('a number');
  const invoiceAmount = words.has('total') ? words.amount() : null;
  const salesTaxAmount = document === 'invoice' && words.has('tax') ? words.amount() : null;
  return { kind: 'amounts', document, key, openAmount: null, invoiceAmount, salesTaxAmount };
}

function readReturn(words: Words, rows: readonly Row[]): ExpectedReturn {
  const name = words.take('a return or an agency');
  const figures = rows.map(({ at, text }) => {
    const [label = '', amount = ''] = cellsOf(text);
    const figure = returnFigureNames.find((each) => each === label);
    if (figure === undefined) throw faultAt(at, `a figure is one of ${returnFigureNames.join(', ')}`);
    return { figure, amount: amountOf(amount, at) };
  });
  return { kind: 'return', name, rows: figures };
}

function readReport(report: ReportName, words: Words, rows: readonly Row[]): ExpectedReport {
  const range = words.take('a date').split('..');
  const [first, last] = [parseDate(range[0] ?? ''), parseDate(range.at(-1) ?? '')];
  if (first === undefined || last === undefined) throw faultAt(words.at, 'a report needs a date or from..to');
  if ((report === 'profit-loss') !== (range.length === 2)) {
    throw faultAt(words.at, 'profit-loss needs from..to, the other reports one date');
  }
  const from = report === 'profit-loss' ? first : null;
  return { kind: 'report', report, from, asOf: last, basis: readBasis(words), rows: rows.map(readRow) };
}

function readBasis(words: Words): ReportBasis {
  const basis = words.take("'accrual' or 'cash'");
  if (basis !== 'accrual' && basis !== 'cash') throw faultAt(words.at, `'${basis}' is not a basis`);
  return basis;
}

function readRow({ at, text }: Row): ExpectedRow {
  const [label = '', ...amounts] = cellsOf(text);
  const accountId = /^\d/.test(label) ? accountOf(label, at) : null;
  return { accountId, label, amounts: amounts.map((cell) => (cell === '' ? null : amountOf(cell, at))) };
}

function readEntries(words: Words, rows: readonly Row[]): ExpectedEntries {
  const name = words.take(`${scenarioDocuments.map((each) => `'${each}'`).join(', ')} or 'journal'`);
  const isOther = name === 'journal' || name === 'return' || name === 'tax-payment';
  const document = isOther ? name : scenarioDocuments.find((each) => each === name);
  if (document === undefined) throw faultAt(words.at, `'${name}' has no entries`);
  return { kind: 'entries', document, key: words.take('a number'), rows: rows.map(readEntry) };
}

function readEntry({ at, text }: Row): ExpectedEntries['rows'][number] {
  const [date = '', account = '', debit = '', credit = '', view = 'both'] = cellsOf(text);
  const postingDate = parseDate(date);
  const basis = BASES[view];
  if (postingDate === undefined) throw faultAt(at, `'${date}' is not a date`);
  if (basis === undefined) throw faultAt(at, `'${view}' is not one of both, accrual, cash`);
  return { postingDate, accountId: accountOf(account, at), amount: sideAmount(debit, credit, at), basis };
}

function sideAmount(debit: string, credit: string, at: number): Cents {
  if ((debit === '') === (credit === '')) throw faultAt(at, 'an entry has either a debit or a credit');
  return debit === '' ? negate(amountOf(credit, at)) : cents(amountOf(debit, at));
}
