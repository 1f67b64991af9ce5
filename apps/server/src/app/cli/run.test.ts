import { afterAll, beforeAll, expect, test } from 'vitest';
import { Installation } from '../../process/testing/installation.ts';
import { emptyDatabase } from '../../testing/empty-database.ts';
import { companyCreate } from './company.ts';
import { migrateCommand } from './migrate.ts';
import { runLine } from './run.ts';

let database: Awaited<ReturnType<typeof emptyDatabase>>;
beforeAll(async () => {
  database = await emptyDatabase();
});
afterAll(() => database.drop());

async function evenkeel(...words: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runLine([companyCreate, migrateCommand], words, {
    environment: { DATABASE_URL: database.url },
    out: (line) => out.push(`${line}\n`),
    err: (line) => err.push(`${line}\n`),
  });
  return { code, out: out.join(''), err: err.join('') };
}

const company = (changes: Record<string, string> = {}): string[] => {
  const options = {
    name: 'Acme',
    email: 'Ann@Acme.example',
    password: 'secret one',
    'first-name': 'Ann',
    'last-name': 'Acme',
  };
  const pairs = Object.entries({ ...options, ...changes }).filter(([, value]) => value !== '');
  return ['company', 'create', ...pairs.flatMap(([name, value]) => [`--${name}`, value])];
};

test('without a command, stderr has the list of commands, stdout is empty, and the exit code is 1', async () => {
  const { code, out, err } = await evenkeel();
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('company create --name N --email E [--password P');
});

test.each([
  ['an unknown command', ['frobnicate'], 'unknown command "frobnicate"'],
  ['a missing option', company({ password: '' }), '--password is missing'],
  ['an unknown option', [...company(), '--colour', 'red'], '--colour'],
  ['a short password', company({ password: 'short' }), 'Password must be at least 6 characters'],
  ['a common password', company({ password: '123456' }), 'This password is easy to guess'],
  [
    'the company name as the password',
    company({ name: 'Acme Ltd', password: 'acme-ltd' }),
    'This password is easy to guess',
  ],
  ['an invalid email address', company({ email: 'nobody' }), 'Email is invalid'],
  ['an unknown time zone', company({ 'time-zone': 'Atlantis/Center' }), "The time zone Atlantis/Center doesn't exist"],
])('%s fails with one clear line on stderr and exit code 1', async (_, args, message) => {
  const { code, out, err } = await evenkeel(...args);
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain(message);
  expect(err).not.toMatch(/^\s+at /m);
});

test('company create prints only one JSON object, and a second company with the same email is rejected', async () => {
  const first = await evenkeel(...company(), '--json');
  expect(first.code).toBe(0);
  expect(JSON.parse(first.out)).toEqual({
    companyId: expect.any(Number),
    userId: expect.any(Number),
    email: 'ann@acme.example',
  });
  const second = await evenkeel(...company({ name: 'Other' }));
  expect([second.code, second.out, second.err]).toEqual([1, '', 'A user with this email address already exists\n']);
  // If no password is given, the company is added to the account of the existing user.
  const nobody = { password: '', 'first-name': '', 'last-name': '' };
  const { companyId, userId } = JSON.parse(first.out) as { companyId: number; userId: number };
  const third = await evenkeel(...company({ ...nobody, name: 'Other' }));
  expect([third.code, JSON.parse(third.out)]).toEqual([
    0,
    { companyId: companyId + 2, userId, email: 'ann@acme.example' },
  ]);
  const unknown = await evenkeel(...company({ ...nobody, email: 'who@acme.example' }));
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('no user is registered with')]);
});

test('migrate on a migrated database succeeds', async () => {
  const { code, out } = await evenkeel('migrate');
  expect([code, JSON.parse(out)]).toEqual([0, { ok: true }]);
});

test("the program writes only the result to stdout and exits with the command's code", async () => {
  const installation = await Installation.make();
  const good = installation.run('cli.js', ['migrate', '--json'], { DATABASE_URL: database.url });
  const bad = installation.run('cli.js', ['migrate'], { DATABASE_URL: 'postgres://app@127.0.0.1:1/none' });
  expect([await good.ended, good.out(), good.err()]).toEqual([0, '{"ok":true}\n', '']);
  expect([await bad.ended, bad.out()]).toEqual([1, '']);
  expect(bad.err()).toContain('ECONNREFUSED');
  await installation.remove();
});
