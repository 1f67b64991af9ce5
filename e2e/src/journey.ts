import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, inject, it } from 'vitest';
import { root } from '../../scripts/checkout.mjs';
import { browserFlags } from './browser-flags.ts';
import { closeCompanies, type Company, newCompany, type Person, type Place } from './company.ts';
import type { StripePlace } from './global-setup.ts';
import { Health } from './health.ts';

/** Widths in px: desk, tablet, phone. */
export const sizes = {
  desk: { width: 1440, height: 900 },
  tablet: { width: 768, height: 1024 },
  phone: { width: 390, height: 844 },
} as const;

export interface Options {
  size?: keyof typeof sizes;
  /** The user who is signed in from the start. If omitted, no user is signed in. */
  as?: Person;
}

/** The environment for a journey. */
export interface Stage extends Place {
  health: Health;
  stripe: StripePlace;
  /** Creates a company for the journey. */
  company(name: string): Promise<Company>;
  /** Opens a page in a separate browser profile. */
  open(path: string, options?: Options): Promise<Page>;
}

/**
 * One browser for all files in a process, which share its modules (vitest.config.ts). The browser closes with the
 * process. If several processes shared a browser, a third process would have to control it, which took a tenth of the
 * journeys' total time.
 */
let browser: Promise<Browser> | undefined;

/**
 * Declares a journey through the built product in a real browser. A journey also fails for an unexpected console error,
 * failed call, or violation of the content security policy. With `keepsFocus`, it fails for an action after which
 * nothing has the focus. Without a browser, the journey is skipped, and the reason is reported.
 */
export function journey(name: string, run: (stage: Stage) => Promise<void>, { keepsFocus = false } = {}): void {
  // This hook runs at the end of every file.
  afterAll(closeCompanies);
  it(name, async (context) => {
    const ground = inject('journeys');
    if (ground.missing !== undefined) return context.skip(ground.missing);
    browser ??= chromium.launch({ executablePath: ground.browser, args: browserFlags });
    const contexts: BrowserContext[] = [];
    const health = new Health();
    const { url, dataDir, stripe } = ground;
    const open = async (path: string, options: Options = {}): Promise<Page> => {
      const profile = await (await browser)?.newContext(profileOf(url, options));
      if (profile === undefined) throw new Error('the browser is gone');
      contexts.push(profile);
      profile.setDefaultTimeout(30_000);
      await health.watch(profile, { focus: keepsFocus });
      const page = await profile.newPage();
      await page.goto(path);
      return page;
    };
    try {
      await run({ url, dataDir, stripe, health, open, company: (title) => newCompany(ground, title) });
      health.check();
    } catch (error) {
      await keepPictures(name, contexts);
      throw error;
    } finally {
      await Promise.all(contexts.map((context) => context.close()));
    }
  });
}

function profileOf(url: string, { size = 'desk', as }: Options) {
  const origins = as === undefined ? [] : [{ origin: url, localStorage: sessionItems(as) }];
  const viewport = sizes[size];
  return {
    baseURL: url,
    viewport,
    hasTouch: size === 'phone',
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce' as const,
    storageState: { cookies: [], origins },
  };
}

const sessionItems = ({ session }: Person) => [{ name: 'user', value: JSON.stringify(session) }];

/** Saves the last screenshots from a failed journey in test-results/. */
async function keepPictures(name: string, contexts: BrowserContext[]): Promise<void> {
  const folder = join(root, 'test-results');
  await mkdir(folder, { recursive: true });
  const slug = name.replace(/\W+/g, '-').slice(0, 60);
  const pages = contexts.flatMap((context) => context.pages());
  await Promise.all(
    pages.map((page, index) => page.screenshot({ path: join(folder, `${slug}-${index}.png`) }).catch(() => undefined)),
  );
}
