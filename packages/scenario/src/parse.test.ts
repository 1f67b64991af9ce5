import { describe, expect, test } from 'vitest';
import { parseScenario } from './parse.ts';
import { runScenario } from './run.ts';

const HEAD = 'company "Test"\ncustomer "Ames"\nproduct "Hour" 100.00 account 4100\n';

describe('invalid files', () => {
  test.each([
    ['an unknown word', 'banana', "line 4: 'banana' is not understood"],
    ['a date that does not exist', '2026-02-30 invoice 1 to "Ames"', 'line 4'],
    ['an unknown customer', '2026-01-01 invoice 1 to "Nobody"', 'line 4: there is no customer "Nobody"'],
    ['an unknown product', '2026-01-01 invoice 1 to "Ames"\n  product "Day"', 'line 5: there is no product "Day"'],
    ['an unknown account', '2026-01-01 payment 1 from "Ames" 1.00 into 9999', "line 4: there is no account '9999'"],
    ['a third decimal place', '2026-01-01 payment 1 from "Ames" 1.005 into 1000', "line 4: '1.005' is not an amount"],
    ['too many words', '2026-01-01 payment 1 from "Ames" 1.00 into 1000 now', "line 4: 'now' is not understood"],
    ['an unknown status', '2026-01-01 invoice 1 to "Ames" status lost', "line 4: there is no status 'lost'"],
    ['an unknown event', '2026-01-01 banana', "line 4: 'banana' is not an event"],
    ['an edited journal entry', '2026-01-01 edit journal "Rent"', "line 4: 'journal' is not an event"],
    ['the deletion of a customer', 'delete customer Ames', "line 4: cannot delete 'customer'"],
    [
      'a name that differs from the account',
      'expect trial-balance 2026-01-31 cash\n  1000 Savings | 1.00 |',
      "'Checking'",
    ],
    ['a single date for a profit and loss', 'expect profit-loss 2026-01-31 cash', 'line 4: profit-loss needs from..to'],
    ['a range for a trial balance', 'expect trial-balance 2026-01-01..2026-01-31 cash', 'the other reports one date'],
    ['an unknown basis', 'expect balance-sheet 2026-01-31 modified', "line 4: 'modified' is not a basis"],
    [
      'an entry with two sides',
      'expect entries invoice 1\n  2026-01-01 | 1000 | 1.00 | 1.00',
      'line 5: an entry has either',
    ],
    ['a rejection without an event', 'expect refused "No"', 'nothing follows'],
    ['an unknown expectation', 'expect sunshine', "line 4: 'sunshine' cannot be expected"],
    ['an unknown vendor', '2026-01-01 bill 1 from "Ames"', 'line 4: there is no vendor "Ames"'],
    ['a bill with a product', 'vendor "V"\n2026-01-01 bill 1 from "V"\n  product "Hour"', "line 6: 'line' is missing"],
    ['a bill paid into an account', 'vendor "V"\n2026-01-01 bill-payment 1 to "V" 1.00 into 1000', "'from' is missing"],
    ['tax on a bill', 'expect bill 1 total 1.00 tax 0.10', "line 4: 'tax 0.10' is not understood"],
    ['entries for a customer', 'expect entries customer 1', "line 4: 'customer' has no entries"],
  ])('%s in a scenario is reported with its line', (_, text, message) => {
    expect(() => parseScenario(HEAD + text)).toThrow(message);
  });

  test('rejects a year that starts in month 13, an unknown tax type, and an indented line without a statement', () => {
    expect(() => parseScenario('company "A" fiscal-year-start 13')).toThrow('a month is 1 to 12');
    expect(() => parseScenario('tax "A" account 2200\n  sin "Sin" 5')).toThrow('line 2: a tax is one of');
    expect(() => parseScenario('  apply 1 5.00')).toThrow('line 1: an indented line needs a line above it');
  });
});

describe('valid files', () => {
  test('a file may have comments, quoted semicolons, and amounts with commas', () => {
    const { customers, steps } = parseScenario(
      'customer "A; B" ; the customer\n\n2026-01-01 payment 1 from "A; B" 1,234.50 into 1050 ; cash',
    );
    expect(customers).toEqual(['A; B']);
    expect(steps[0]).toMatchObject({ at: 3, event: { amount: 123450, accountId: 104, applications: null } });
  });

  test('"apply nothing" leaves a payment unapplied, and a payment without "apply" is applied in list order', () => {
    const invoices = '2026-01-01 invoice 1 to "Ames"\n  product "Hour"\n';
    const paid = `${invoices}2026-01-02 payment 1 from "Ames" 60.00 into 1000\n`;
    const credit = `${paid}  apply nothing\nexpect open invoice 1 100.00`;
    const filled = `${paid}expect open invoice 1 40.00`;
    expect(runScenario(parseScenario(HEAD + credit)).failures).toEqual([]);
    expect(runScenario(parseScenario(HEAD + filled)).failures).toEqual([]);
  });
});

describe('failed expectations', () => {
  const story = `${HEAD}2026-01-01 invoice 1 to "Ames"\n  product "Hour"\n`;

  test.each([
    ['open invoice 1 99.99', 'line 6: expected open amount 99.99, found 100.00'],
    ['invoice 1 total 99.99 tax 1.00', 'line 6: expected total 99.99, found 100.00'],
    ['trial-balance 2026-01-31 accrual', 'line 6: not expected: 1200 - Accounts Receivable | 100.00'],
    ['trial-balance 2026-01-31 accrual\n  1200 | 100.01 |', 'line 6: expected 1200 | 100.01'],
    ['trial-balance 2026-01-31 accrual\n  1000 | 1.00 |', 'line 6: missing: 1000 | 1.00'],
    [
      'profit-loss 2026-01-01..2026-01-31 cash\n  Net Income | 100.00',
      'line 6: expected Net Income | 100.00, found Net',
    ],
    ['entries invoice 1\n  2026-01-01 | 1200 | 100.00 | | accrual', 'line 6: not expected: 2026-01-01 | 4100'],
    ['entries invoice 1\n  2026-01-02 | 1200 | 100.00 | | accrual', 'line 6: missing entry: 2026-01-02 | 1200'],
  ])('a failed expectation is reported with its line: %s', (expectation, failure) => {
    const { failures } = runScenario(parseScenario(`${story}expect ${expectation}`));
    expect(failures.join('\n')).toContain(failure);
  });

  test('an event that is wrongly accepted, wrongly rejected, or rejected for another reason is reported', () => {
    const again = '2026-01-01 invoice 1 to "Ames"\n  product "Hour"\n';
    expect(runScenario(parseScenario(`${HEAD}expect refused "No"\n${again}`)).failures).toEqual([
      'line 5: was accepted, expected to be refused with "No"',
    ]);
    expect(runScenario(parseScenario(`${story}${again}`)).failures).toEqual([
      'line 6: refused: Invoice 1 exists already',
    ]);
    expect(runScenario(parseScenario(`${story}expect refused "No"\n${again}`)).failures).toEqual([
      'line 7: refused with "Invoice 1 exists already", expected "No"',
    ]);
  });

  test('rejects an event for a document that does not exist', () => {
    const text = `${HEAD}delete invoice 7\n2026-01-01 edit payment 7 from "Ames" 1.00 into 1000`;
    expect(runScenario(parseScenario(text)).failures).toEqual([
      'line 4: refused: Invoice 7 not found',
      'line 5: refused: Payment 7 not found',
    ]);
    const bills = `vendor "V"\ndelete bill 7\ndelete bill-payment 7\n2026-01-01 edit bill 7 from "V"`;
    expect(runScenario(parseScenario(bills)).failures).toEqual([
      'line 2: refused: Bill 7 not found',
      'line 3: refused: Bill payment 7 not found',
      'line 4: refused: Bill 7 not found',
    ]);
  });
});
