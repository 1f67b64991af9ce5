// Takes the README's screenshots: `npm run screenshots` creates the demo company and writes docs/images/*.png.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { browserFlags } from '../../e2e/src/browser-flags.ts';
import { evenkeel, startEvenkeel } from '../../e2e/src/evenkeel.ts';
import { settled } from '../../e2e/src/settled.ts';
import { currentDigests, digestFile, pictureFolder, type Picture } from './pictures.ts';
import { findTool } from '../test/tools.ts';

interface Login {
  email: string;
  password: string;
}

function loginOf(answer: unknown): Login {
  const value: Partial<Record<keyof Login, unknown>> = typeof answer === 'object' && answer !== null ? answer : {};
  if (typeof value.email !== 'string' || typeof value.password !== 'string') throw new Error('demo printed no login');
  return { email: value.email, password: value.password };
}

/** Opens a signed-in page of 1440 × 900 px in the given theme. */
async function open(browser: Browser, { url, login, theme }: { url: string; login: Login; theme: Theme }) {
  const viewport = { width: 1440, height: 900 };
  const storageState = { cookies: [], origins: [{ origin: url, localStorage: [{ name: 'theme', value: theme }] }] };
  const looks = { viewport, reducedMotion: 'reduce', locale: 'en-US' } as const;
  const context = await browser.newContext({ baseURL: url, storageState, ...looks });
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill(login.email);
  await page.getByLabel('Password', { exact: true }).fill(login.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: /Dashboard|Terms of Service/ }).waitFor();
  if (page.url().endsWith('/TOS')) await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  return page;
}

type Theme = 'light' | 'dark';

async function keep(page: Page, name: Picture): Promise<void> {
  await page.waitForLoadState('networkidle');
  await settled(page);
  await page.screenshot({ path: join(pictureFolder, `${name}.png`) });
  process.stderr.write(`docs/images/${name}.png\n`);
}

/** Shows Billing with an invoice next to the list, then the form for a new invoice. */
async function takeBilling(page: Page): Promise<void> {
  await page.goto('/billing');
  await page.getByRole('row').nth(2).getByRole('link').first().click();
  await page.getByRole('complementary').getByText('Line items').waitFor();
  await keep(page, 'billing-light');
  await page.getByRole('button', { name: 'Open Billing Invoice' }).click();
  await page.getByRole('dialog', { name: 'Billing Entry' }).waitFor();
  await keep(page, 'billing-entry-light');
}

/** Shows the chart of accounts next to an account's register. */
async function takeAccounting(page: Page): Promise<void> {
  await page.goto('/accounting');
  await page.getByRole('row').filter({ hasText: 'Checking' }).first().click();
  await page.getByRole('table', { name: 'Account entries' }).waitFor();
  await keep(page, 'accounting-dark');
}

/** Shows the balance sheet with the entries that make up its first amount. */
async function takeReport(page: Page): Promise<void> {
  await page.goto('/reports');
  await page.getByRole('button', { name: 'Balance Sheet', exact: true }).click();
  await page.getByRole('article', { name: 'Balance Sheet' }).waitFor();
  await page.locator('button.rp-figure').first().click();
  await page.getByRole('table', { name: /^Entries in/ }).waitFor();
  await keep(page, 'report-light');
}

async function take(executablePath: string): Promise<void> {
  const [running, browser] = await Promise.all([
    startEvenkeel(),
    chromium.launch({ executablePath, args: browserFlags }),
  ]);
  try {
    const login = loginOf(await evenkeel(running.dataDir, 'demo'));
    await mkdir(pictureFolder, { recursive: true });
    const light = await open(browser, { url: running.url, login, theme: 'light' });
    await keep(light, 'dashboard-light');
    await takeBilling(light);
    await takeReport(light);
    await takeAccounting(await open(browser, { url: running.url, login, theme: 'dark' }));
    await writeFile(digestFile, `${JSON.stringify(await currentDigests(), null, 2)}\n`);
  } finally {
    await browser.close();
    await running.stop();
  }
}

const { path, missing } = findTool('chromium');
if (path === undefined) {
  process.stderr.write(`${missing}\n`);
  process.exitCode = 1;
} else await take(path);
