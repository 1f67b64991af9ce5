import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { EASY_TO_GUESS } from '@evenkeel/core/registration';
import { productionTuning } from '../../platform/http/context.ts';
import { hashPassword, matchesPassword, requireNewPassword } from './passwords.ts';

const cheap = { memoryCost: 8, timeCost: 1 };

test('production hashes use 19 MiB, 2 rounds, and 1 lane of argon2id', async () => {
  const hash = await hashPassword('a password', productionTuning.passwordCost);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('a missing hash matches no password, not even the one that the decoy hash was made from', async () => {
  expect(await matchesPassword(undefined, '', cheap)).toBe(false);
  expect(await matchesPassword(null, 'anything', cheap)).toBe(false);
});

test('a password of 257 bytes never matches, even if its first 256 do', async () => {
  const password = 'x'.repeat(256);
  const hash = await hashPassword(password, cheap);
  expect(await matchesPassword(hash, password, cheap)).toBe(true);
  expect(await matchesPassword(hash, `${password}x`, cheap)).toBe(false);
});

test('the queue computes 204 of 300 hashes that are requested at the same time, and rejects 96', async () => {
  const results = await Promise.allSettled(Array.from({ length: 300 }, () => hashPassword('x', cheap)));
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(96);
  expect(refused[0]?.reason).toMatchObject({ code: 'unavailable', detail: { retryAfterSeconds: 2 } });
  expect(await hashPassword('after the flood', cheap)).toContain('argon2id');
});

const messageOf = (error: unknown) => (error instanceof Error ? error.message : error);

// Promise (access): Common passwords, the user's email address, and the company's name are rejected as passwords. [the
// 3,000 most common passwords at each length: 6, 7, 8, and 9 or more characters]
test.each([6, 7, 8, 9])(
  'the 3,000 most common passwords with at least %i characters are rejected, even in capital letters',
  async (least) => {
    const commonest = dictionary['passwords-common'].filter(({ length }) => length >= least).slice(0, 3000);
    expect(commonest).toHaveLength(3000);
    const said = new Set<unknown>();
    for (const password of [...commonest, ...commonest.map((each) => each.toUpperCase())]) {
      const answer = requireNewPassword({ password, confirmPassword: password }, least, []);
      said.add(await answer.then(() => `${password} is taken`, messageOf));
    }
    expect([...said]).toEqual([EASY_TO_GUESS]);
  },
);

test.each(['harbor at dawn', 'juggalo meredith', '—★♥♦♣☺'])(
  '"%s" is not in the list of common passwords',
  async (password) => {
    await expect(requireNewPassword({ password, confirmPassword: password }, 6, [])).resolves.toBeUndefined();
  },
);
