import { chromium } from 'playwright-core';
import * as z from 'zod';
import { findTool } from '../../scripts/test/tools.ts';
import { duration, figure, median, quantile } from './figures.ts';

export interface Place {
  url: string;
  /** The sign-in response in the form that a browser stores. */
  session: string;
}

const RowsReply = z.object({ items: z.array(z.unknown()).optional() });

/** The measurements made while scrolling a list in a browser. */
export interface Scrolled {
  /** The milliseconds between frames. */
  frames: number[];
  /** The app's memory in bytes before and after scrolling, both measured after garbage collection. */
  memory: [before: number, after: number];
  /** The number of requests for rows, and the number of rows that they returned. */
  requests: number;
  rows: number;
  /** The maximum number of rows in the document. */
  drawn: number;
}

/**
 * The scrolling method: with the wheel, which passes every page of rows, or in jumps to the end, as when a user drags
 * the scroll bar.
 */
type Way = 'wheel' | 'leaps';

/**
 * Runs in the page: scrolls a list down for this number of frames. Returns the frame times and the maximum number of
 * drawn rows.
 */
async function scrollDown({ steps, way }: { steps: number; way: Way }): Promise<{ frames: number[]; drawn: number }> {
  const box = [...document.querySelectorAll<HTMLElement>('*')].find(
    (one) => one.scrollHeight > 100_000 && one.clientHeight > 100 && one !== document.documentElement,
  );
  if (box === undefined) throw new Error('there is no long list');
  const frames: number[] = [];
  let drawn = 0;
  let last = await new Promise<number>(requestAnimationFrame);
  for (let step = 1; step <= steps; step += 1) {
    box.scrollTop = way === 'leaps' ? (box.scrollHeight * step) / steps : box.scrollTop + 120;
    const now = await new Promise<number>(requestAnimationFrame);
    frames.push(now - last);
    last = now;
    drawn = Math.max(drawn, document.querySelectorAll('[role="row"], tr').length);
  }
  return { frames, drawn };
}

/** Opens the list of open invoices in Chromium and scrolls it. Returns undefined if the browser is missing. */
export async function scrollInvoices(
  { url, session }: Place,
  how: { steps: number; way: Way },
): Promise<Scrolled | undefined> {
  const tool = findTool('chromium');
  if (tool.path === undefined) return undefined;
  const browser = await chromium.launch({ executablePath: tool.path, args: ['--no-sandbox'] });
  try {
    const storageState = { cookies: [], origins: [{ origin: url, localStorage: [{ name: 'user', value: session }] }] };
    const page = await browser.newPage({ storageState, viewport: { width: 1440, height: 900 } });
    let requests = 0;
    let rows = 0;
    page.on('response', async (response) => {
      if (!response.url().includes('/api/billinginvoice?')) return;
      const body = RowsReply.parse(await response.json().catch(() => ({})));
      requests += 1;
      rows += body.items?.length ?? 0;
    });
    await page.goto(`${url}/billing`, { waitUntil: 'networkidle' });
    const devtools = await page.context().newCDPSession(page);
    const memory = async (): Promise<number> => {
      await devtools.send('HeapProfiler.collectGarbage');
      return (await devtools.send('Runtime.getHeapUsage')).usedSize;
    };
    const before = await memory();
    const { frames, drawn } = await page.evaluate(scrollDown, how);
    // When scrolling stops, the list reads the visible rows.
    await page.waitForTimeout(1000);
    await page.waitForLoadState('networkidle');
    return { frames, drawn, requests, rows, memory: [before, await memory()] };
  } finally {
    await browser.close();
  }
}

/** Describes the measurements. */
export function scrolledWords(count: number, way: Way, seen: Scrolled | undefined): string {
  if (seen === undefined) return 'No browser was there to scroll the list in.';
  const { frames, memory, requests, rows, drawn } = seen;
  const [before, after] = memory.map((bytes) => `${figure(bytes / 1_000_000)} MB`);
  return (
    `Scrolled ${way === 'leaps' ? 'to its end in leaps' : 'by the wheel, 120 px a frame,'} in Chromium ` +
    `(1440 × 900) over ${frames.length} frames, the list of ${figure(count)} open ` +
    `invoices drew a frame in ${duration(median(frames))} (median; 99th percentile ` +
    `${duration(quantile(frames, 0.99))}), had at most ${drawn} rows in the document, asked ${requests} times for ` +
    `${figure(rows)} rows, and took ${after} of the browser's memory (${before} before).`
  );
}
