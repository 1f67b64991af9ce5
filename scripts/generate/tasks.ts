// Measures how many clicks, key presses, and seconds ten tasks take in a real browser. `npm run tasks [-- --write]`
// writes docs/performance.md.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { authCalls } from '@evenkeel/contract/auth';
import { setupCalls } from '@evenkeel/contract/setup';
import { format } from 'oxfmt';
import { type Browser, chromium } from 'playwright-core';
import { Api } from '../../e2e/src/api.ts';
import { browserFlags } from '../../e2e/src/browser-flags.ts';
import { evenkeel, type Evenkeel, startEvenkeel } from '../../e2e/src/evenkeel.ts';
import { type Done, Hand, isTooLong, type Login, type Task } from '../../e2e/src/hand.ts';
import { addTaskBooks } from '../../e2e/src/taskBooks.ts';
import { TASKS } from '../../e2e/src/tenTasks.ts';
import { root, say } from '../checkout.mjs';
import { withPart } from './page-parts.ts';
import { tasksPart } from './tasks-page.ts';
import { findTool } from '../test/tools.ts';

const PAGE = join(root, 'docs/performance.md');
const PASSWORD = 'correct horse battery';

async function company(running: Evenkeel, name: string): Promise<Login> {
  const email = `ada@${name.toLowerCase().replace(/\W+/g, '-')}.example`;
  const person = ['--email', email, '--password', PASSWORD, '--first-name', 'Ada', '--last-name', 'Lock'];
  await evenkeel(running.dataDir, 'company', 'create', '--name', name, ...person, '--time-zone', 'UTC');
  return { email, password: PASSWORD };
}

/** Signs in, accepts the terms, completes the setup, and creates sample records. */
async function enter({ url }: Evenkeel, login: Login) {
  const session = await new Api(url).call(authCalls.login, { body: login });
  const token = await new Api(url, session.token).call(authCalls.updateUserTerms, { body: { termsAccepted: true } });
  const api = new Api(url, token);
  await api.call(setupCalls.completeSetup, { body: { skip: true } });
  await addTaskBooks(api);
  return { ...session, token, termsAccepted: true, setupCompleted: true };
}

async function perform(browser: Browser, url: string, { task, session, newcomer }: Performance): Promise<Done> {
  const user = task.from === '/login' ? [] : [{ name: 'user', value: JSON.stringify(session) }];
  const storageState = { cookies: [], origins: [{ origin: url, localStorage: user }] };
  const looks = { viewport: { width: 1440, height: 900 }, locale: 'en-US', timezoneId: 'UTC' } as const;
  const context = await browser.newContext({ baseURL: url, storageState, reducedMotion: 'reduce', ...looks });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  try {
    await page.goto(task.from ?? '/', { waitUntil: 'networkidle' });
    const hand = new Hand(page);
    const began = performance.now();
    await task.run(hand, newcomer);
    return { task, steps: hand.steps, seconds: (performance.now() - began) / 1000 };
  } finally {
    await context.close();
  }
}

interface Performance {
  task: Task;
  session: unknown;
  newcomer: Login;
}

async function performAll(executablePath: string): Promise<Done[]> {
  const running = await startEvenkeel();
  const browser = await chromium.launch({ executablePath, args: browserFlags });
  try {
    const session = await enter(running, await company(running, 'Ten Tasks'));
    const newcomer = await company(running, 'First Day');
    const done: Done[] = [];
    for (const task of TASKS) done.push(await perform(browser, running.url, { task, session, newcomer }));
    return done;
  } finally {
    await browser.close();
    await running.stop();
  }
}

const tool = findTool('chromium');
const { values } = parseArgs({ options: { write: { type: 'boolean' } } });
if (tool.path === undefined) {
  say(tool.missing);
  process.exitCode = 1;
} else {
  const done = await performAll(tool.path);
  const part = tasksPart(done);
  process.stdout.write(`${part}\n`);
  for (const { task } of done.filter(isTooLong)) {
    say(`Too many steps: ${task.name}`);
    process.exitCode = 1;
  }
  if (values.write === true) {
    const page = withPart(await readFile(PAGE, 'utf8'), 'tasks', part);
    await writeFile(PAGE, (await format('performance.md', page, { printWidth: 120 })).code);
  }
}
