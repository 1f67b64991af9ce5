import { masterAccount } from '@evenkeel/core/books/accounts';
import { Failure } from '@evenkeel/core/failure';
import { toPlain } from '@evenkeel/core/money';
import type { Cents } from '@evenkeel/core/money';
import { Books } from './books.ts';
import type { BooksTransaction } from './books.ts';
import { compareReport } from './compare.ts';
import { isTold } from './refusal.ts';
import { reportOf } from './reports.ts';
import type { ReturnFigures } from '@evenkeel/core/taxes/returns';
import type {
  Expectation,
  ExpectedAmounts,
  ExpectedEntries,
  ExpectedReturn,
  ReturnFigureName,
  Scenario,
  ScenarioEvent,
} from './scenario.ts';

export interface ScenarioResult {
  journal: BooksTransaction[];
  /** One sentence for each failure, starting with the line number. Empty if all expectations are met. */
  failures: string[];
  books: Books;
}

/**
 * Runs a scenario in memory. Events are applied with the rules in core, and expectations are checked against the
 * resulting journal.
 */
export function runScenario(scenario: Scenario): ScenarioResult {
  const books = new Books(scenario);
  const failures = scenario.steps.flatMap((step) => {
    const found =
      step.step === 'event' ? playEvent(books, step.event, step.refused) : check(step.expectation, books, scenario);
    return found.map((failure) => `line ${step.at}: ${failure}`);
  });
  return { journal: books.journal, failures, books };
}

function playEvent(books: Books, event: ScenarioEvent, refused: string | null): string[] {
  const before = books.journal.length;
  try {
    books.apply(event);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (books.journal.length !== before) return ['a refused event wrote to the journal'];
    if (refused === null) return [`refused: ${error.message}`];
    return isTold(error.message, refused) ? [] : [`refused with "${error.message}", expected "${refused}"`];
  }
  return refused === null ? [] : [`was accepted, expected to be refused with "${refused}"`];
}

function check(expectation: Expectation, books: Books, scenario: Scenario): string[] {
  if (expectation.kind === 'report') {
    return compareReport(expectation, reportOf(books.journal, expectation, scenario));
  }
  if (expectation.kind === 'return') return compareReturn(expectation, books.taxes.figures(expectation.name));
  return expectation.kind === 'entries' ? checkEntries(expectation, books) : checkAmounts(expectation, books);
}

/** Returns one sentence for each amount on a return that differs. */
export function compareReturn({ rows }: ExpectedReturn, figures: ReturnFigures): string[] {
  const { own, since, adjustments, carriedIn, prepaid, netDue, carriedOver } = figures;
  const found: Record<ReturnFigureName, Cents> = {
    gross: own.gross,
    taxable: own.taxable,
    tax: own.tax,
    'since filing': since.tax,
    adjustments,
    'carried in': carriedIn,
    prepaid,
    due: netDue,
    'carried over': carriedOver,
  };
  return rows.flatMap(({ figure, amount }) => compareAmount(figure, amount, found[figure]));
}

function checkAmounts(expected: ExpectedAmounts, books: Books): string[] {
  const found = expected.document === 'bill' ? books.billAmounts(expected.key) : books.invoiceAmounts(expected.key);
  return [
    ...compareAmount('open amount', expected.openAmount, found.openAmount),
    ...compareAmount('total', expected.invoiceAmount, found.invoiceAmount),
    ...compareAmount('tax', expected.salesTaxAmount, found.salesTaxAmount),
  ];
}

function compareAmount(what: string, expected: Cents | null, actual: Cents): string[] {
  if (expected === null || expected === actual) return [];
  return [`expected ${what} ${toPlain(expected)}, found ${toPlain(actual)}`];
}

function checkEntries({ document, key, rows }: ExpectedEntries, books: Books): string[] {
  const rest = books.liveLines(`${document} ${key}`).map(entryText);
  const missing = rows.map(entryText).filter((text) => {
    const index = rest.indexOf(text);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
  return [...missing.map((text) => `missing entry: ${text}`), ...rest.map((text) => `not expected: ${text}`)];
}

function entryText({ postingDate, accountId, amount, basis }: ExpectedEntries['rows'][number]): string {
  const account = masterAccount(accountId);
  const name = account === undefined ? String(accountId) : `${account.accountNumber} ${account.accountName}`;
  return `${postingDate} | ${name} | ${toPlain(amount)} | ${basis}`;
}
