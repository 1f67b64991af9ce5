import { expect, test } from 'vitest';
import { errorAnswer } from './errors.ts';

const told = (code: string, reads: boolean) => {
  const { status, body } = errorAnswer(Object.assign(new Error('SQL'), { code }), 'r', { reads });
  return [status, body.code, body.message];
};

const DEFECT = [500, 'internal', 'Something went wrong on the server'];
const unsaved = (status: number, code: string) => [status, code, 'The request has a value that cannot be saved'];

test('what the database refuses to save is told as that', () => {
  expect(told('22003', false)).toEqual(unsaved(400, 'malformed'));
  expect(told('22021', false)).toEqual(unsaved(400, 'malformed'));
  expect(told('23514', false)).toEqual(unsaved(422, 'rule'));
});

test('a read speaks of no saving: sums no bigint holds are not the request’s fault, a text that is none is', () => {
  expect(told('22003', true)).toEqual(DEFECT);
  expect(told('22021', true)).toEqual([400, 'malformed', 'The request has a value that cannot be read']);
});
