import { expect, test } from 'vitest';
import { openTerminal, type Out } from './terminal.ts';

const config = { logFormat: undefined, logLevel: undefined } as const;
const link = 'http://127.0.0.1:3000/register?token=abc';
const resetLink = 'http://127.0.0.1:3000/reset-password?token=def';
const place = { url: 'http://127.0.0.1:3000', books: '/srv/books' };

/** Returns a program's output with or without a terminal. Each program writes the same lines. */
function written(settings: Partial<Parameters<typeof openTerminal>[0]>, isTTY?: boolean): string[] {
  let text = '';
  const out: Out = { write: (part) => (text += part), ...(isTTY === undefined ? {} : { isTTY }) };
  const { log, announce, welcome } = openTerminal({ ...config, ...settings }, out);
  log.info({ migration: '1_first.sql' }, 'migration applied');
  log.warn({ kind: 'letter', reason: 'no answer' }, 'a job failed');
  welcome(place, link);
  announce('Reset your password (ada@harbor.example)', resetLink);
  return text.split('\n').filter((line) => line !== '');
}

const logOf = (lines: string[]): unknown[] =>
  lines.filter((line) => line.startsWith('{')).map((line): unknown => JSON.parse(line));

test('without a terminal, the log is JSON, and messages for the operator are on separate lines', () => {
  const lines = written({});
  expect(logOf(lines)).toMatchObject([
    { level: 30, migration: '1_first.sql', msg: 'migration applied' },
    { level: 40, kind: 'letter', reason: 'no answer', msg: 'a job failed' },
  ]);
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([
    'Evenkeel is listening on http://127.0.0.1:3000',
    'Your books are stored in /srv/books. To back them up, run: npm run --silent evenkeel -- ' + 'backup FILE',
    `No company has been registered yet. To register the first one, open ${link}`,
    'Reset your password (ada@harbor.example): the email with the link is in MAIL_DIR',
  ]);
});

test('on a terminal, the link is on its own colored line, and the log shows only what needs attention', () => {
  const lines = written({}, true);
  expect(logOf(lines)).toEqual([]);
  expect(lines).toContain(`  \u001b[1;36m${link}\u001b[0m`);
  expect(lines).toContain(`Reset your password (ada@harbor.example): \u001b[1;36m${resetLink}\u001b[0m`);
  expect(lines.join('\n')).toMatch(/Books +\/srv\/books\n +Back up +npm run --silent evenkeel -- backup FILE/);
  expect(lines.filter((line) => /migration|job/.test(line))).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d warn a job failed kind=letter reason=no answer$/),
  ]);
});

test('LOG_FORMAT overrides the output format, and LOG_LEVEL overrides the log level', () => {
  expect(logOf(written({ logFormat: 'json' }, true))).toHaveLength(2);
  expect(logOf(written({ logFormat: 'json', logLevel: 'silent' }))).toEqual([]);
  const pretty = written({ logFormat: 'pretty', logLevel: 'info' });
  expect(pretty.join('\n')).toMatch(/info migration applied migration=1_first\.sql/);
  expect(pretty).toContain(`  ${link}`);
});
