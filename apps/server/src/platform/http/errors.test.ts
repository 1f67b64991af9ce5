import { expect, test } from 'vitest';
import { errorAnswer } from './errors.ts';

const told = (code: string, reads: boolean) => {
  const { status, body } = errorAnswer(Object.assign(new Error('SQL'), { code }), 'r', { reads });
  return [status, body.code, body.message];
};

const DEFECT = [500, 'internal', 'Something went wrong on the server. Try again.'];
const unsaved = (status: number, code: string) => [status, code, "A value in the request can't be saved"];

const broken = (code: string, constraint: string) => {
  const { status, body } = errorAnswer(Object.assign(new Error('SQL'), { code, constraint }), 'r');
  return [status, body.code, body.message];
};

test('a constraint that a request can violate has a message, even in a distributed table', () => {
  const taken = [409, 'conflict', 'A role with this name already exists'];
  expect(broken('23505', 'role_name_unique')).toEqual(taken);
  expect(broken('23505', 'role_name_unique_102008')).toEqual(taken);
  const told = Object.assign(new Error('duplicate key value violates unique constraint "role_name_unique_102008"'), {
    code: '23505',
  });
  expect(errorAnswer(told, 'r').body.message).toBe(taken[2]);
  expect(broken('23503', 'invoice_line_company_id_account_id_fkey')).toEqual([
    422,
    'rule',
    "The selected account doesn't exist",
  ]);
  expect(broken('23514', 'ledger_total_amount_cents_check')).toEqual([422, 'rule', 'Amount is out of range']);
});

test('the violation of an internal constraint or of a not-null column is reported as a bug', () => {
  expect(broken('23514', 'document_open')).toEqual(DEFECT);
  expect(broken('23505', 'document_number')).toEqual(DEFECT);
  expect(broken('23503', 'invoice_line_company_id_invoice_id_fkey')).toEqual(DEFECT);
  expect(told('23502', false)).toEqual(DEFECT);
});

test('if the database rejects a value, the error message is about saving', () => {
  expect(told('22003', false)).toEqual(unsaved(400, 'malformed'));
  expect(told('22021', false)).toEqual(unsaved(400, 'malformed'));
});

test('if a read fails, the error message is about reading, unless a stored total exceeds a bigint', () => {
  expect(told('22003', true)).toEqual(DEFECT);
  expect(told('22021', true)).toEqual([400, 'malformed', "A value in the request can't be read"]);
});
