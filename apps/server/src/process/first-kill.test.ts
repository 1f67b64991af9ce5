import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { EMAIL, PASSWORD, signIn, verify } from './testing/client.ts';
import { Installation, PATIENCE_MS } from './testing/installation.ts';

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });
const ROUNDS = Math.min(100, Math.max(2, Number(process.env['TORTURE_RUNS'] ?? '2')));

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.make();
});
afterAll(() => installation.remove());

test(`if the first startup is killed at any of ${ROUNDS} points, the next one prints the link`, async () => {
  const environment = { DATA_DIR: installation.dataDir() };
  const began = performance.now();
  const whole = await installation.start(environment);
  const usual = performance.now() - began;
  await whole.stop();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const fresh = { DATA_DIR: installation.dataDir() };
    const first = installation.run('main.js', [], { PORT: '0', ...fresh });
    await sleep((usual * (round - Math.random())) / ROUNDS);
    first.child.kill('SIGKILL');
    await first.ended;
    const next = await installation.start(fresh);
    await next.says(/To register the first one, open \S+/);
    expect((await fetch(`${next.address}/readyz`)).status).toBe(200);
    expect(await next.stop()).toMatchObject({ code: 0 });
  }
});

test(`if company create is killed at any of ${ROUNDS} points, it leaves a complete company or none`, async () => {
  const environment = { DATA_DIR: installation.dataDir() };
  const server = await installation.start(environment);
  const made: boolean[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const email = `${round}-${EMAIL}`;
    const who = ['--name', `Company ${round}`, '--first-name', 'Ada', '--last-name', 'Admin', '--email', email];
    const create = ['company', 'create', ...who, '--password', PASSWORD];
    const first = installation.run('cli.js', create, environment);
    await sleep(100 + Math.random() * 500);
    first.child.kill('SIGKILL');
    await first.ended;
    const { code, err } = await installation.cli(environment, ...create);
    // The second command fails only if the first command has created the company. In both cases, the administrator can
    // sign in.
    if (code !== 0) expect(err).toBe('A user with this email address already exists\n');
    made.push(code === 0);
    expect(await signIn(server.address, email)).toMatch(/^[\w-]{43}$/);
  }
  const { companies, ok } = await verify(installation, environment);
  expect([companies.length, ok]).toEqual([made.length, true]);
  expect(await server.stop()).toMatchObject({ code: 0 });
});
