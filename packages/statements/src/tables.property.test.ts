import { describe, expect, it } from 'vitest';
import { Dice } from '@evenkeel/core/dice';
import { readStatementFile, type ReadFile, type StatementMapping, type StatementQuestion } from './read.ts';
import { type BankTable, bankTable } from './testing/tables.ts';

/** The number of files: a few hundred by default, tens of thousands in a torture run. */
const RUNS = Math.max(400, Number(process.env['TORTURE_RUNS'] ?? 0) / 4);
const SEED = Number(process.env['SEED'] ?? 1);
const MOST_QUESTIONS = 6;

const read = (table: BankTable, mapping: StatementMapping): ReadFile =>
  readStatementFile(table.bytes, { mapping, ...(table.kind === undefined ? {} : { accountKind: table.kind }) });

const isTrue = (table: BankTable, { statements: [statement] }: ReadFile): boolean => {
  const lines = statement?.lines.map(({ date, amount }) => ({ date, amount }));
  return (
    JSON.stringify(lines) === JSON.stringify(table.lines) &&
    (statement?.opening ?? table.opening) === table.opening &&
    (statement?.closing ?? table.closing) === table.closing
  );
};

/**
 * Returns the answers that a user who knows the account might give. If both signs are possible, the transactions
 * decide.
 */
function answersTo({ name, choices }: StatementQuestion, table: BankTable): StatementMapping[] {
  if (name === 'turned') return [{ turned: false }, { turned: true }];
  if (name === 'dateOrder') return [{ dateOrder: table.dateOrder }];
  if (name === 'decimal') return [{ decimal: table.decimal }];
  const { date = -1, amount = -1, debit = -1, credit = -1 } = table.columns;
  const wanted: Partial<Record<typeof name, number[]>> = {
    dateColumn: [date],
    amountColumn: [amount, debit, credit],
    debitColumn: [debit],
  };
  const columns = wanted[name] ?? [];
  return columns.flatMap((column) =>
    choices.some(({ value }) => value === String(column)) ? [{ [name]: column }] : [],
  );
}

/** Returns whether answering the questions one by one leads to the correct transactions. */
function leadsToTruth(table: BankTable, file: ReadFile, depth = 0): boolean {
  const [question] = file.questions;
  if (question === undefined) return isTrue(table, file);
  if (depth === MOST_QUESTIONS) return false;
  return answersTo(question, table).some((answer) =>
    leadsToTruth(table, read(table, { ...file.mapping, ...answer }), depth + 1),
  );
}

describe('random bank tables', () => {
  // Layouts × signs × directions × balances × separators × languages × decimal marks × date orders, with and without
  // column names.
  it('random tables are read to the cent or lead to questions, and the answers give the exact amounts', () => {
    let [asked, wanted] = [0, 0];
    for (let run = 0; run < RUNS; run += 1) {
      const table = bankTable(new Dice(SEED * 1_000_003 + run));
      const file = read(table, {});
      const message = `file ${run} of seed ${SEED}: ${table.recipe}\n${table.text.slice(0, 600)}`;
      if (file.questions.length === 0)
        expect(isTrue(table, file), `read incorrectly without an error, ${message}`).toBe(true);
      else if (table.isKnown)
        expect(leadsToTruth(table, file), `no answers lead to the correct result, ${message}`).toBe(true);
      const isSign = file.questions.some(({ name }) => name !== 'dateOrder');
      if (isSign) asked += 1;
      wanted += 1;
    }
    // Most files must prove everything except the order of day and month. If every file led to a question, the test
    // would prove nothing.
    expect(asked / wanted).toBeLessThan(0.35);
  });
});
