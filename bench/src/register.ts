import { ledgerCalls } from '@evenkeel/contract/ledger';
import type { Books } from './books.ts';
import { type Client, openClient } from './client.ts';
import { type Chapter, duration, figure, median, ratio, table } from './figures.ts';
import type { RunningServer } from './server.ts';

/** The bank account, which has the most lines. */
const BANK = 101;
const PAGE = 100;
/** The maximum page size, which is used to read the whole register. */
const STRIDE = 500;

function pathOf(limit: number, after: string | undefined): string {
  const from = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
  return `/GeneralLedger/GetAccountEntries/${BANK}?limit=${limit}${from}`;
}

/** Reads the whole register. Returns the start of its middle page and its last page, and the number of lines. */
async function walk(client: Client, token: string) {
  const places: string[] = [];
  let after: string | undefined;
  let total = 0;
  do {
    const page = await client.call(ledgerCalls.accountEntries, { token, path: pathOf(STRIDE, after) });
    if (Array.isArray(page)) throw new Error('a page was requested, but the whole register was returned');
    total = page.total;
    after = page.next ?? undefined;
    if (after !== undefined) places.push(after);
  } while (after !== undefined);
  return { total, middle: places[Math.floor(places.length / 2)], last: places.at(-1) };
}

/** Measures the first, middle, and last page of an account's register, one after another. */
export async function measureRegister(server: RunningServer, books: Books, rounds: number): Promise<Chapter> {
  const client = openClient(server.url, 1);
  const { token } = books;
  try {
    const { total, middle, last } = await walk(client, token);
    const pages = [
      { name: 'first', after: undefined, times: new Array<number>() },
      { name: 'middle', after: middle, times: new Array<number>() },
      { name: 'last', after: last, times: new Array<number>() },
    ];
    for (let round = -5; round < rounds; round += 1) {
      for (const { after, times } of pages) {
        const began = performance.now();
        const { status } = await client.send('GET', pathOf(PAGE, after), { token });
        if (status !== 200) throw new Error(`a page of the register: ${status}`);
        if (round >= 0) times.push(performance.now() - began);
      }
    }
    const first = median(pages[0]?.times ?? []);
    const inMiddle = median(pages[1]?.times ?? []) / first;
    const rows = pages.map(({ name, times }) => [name, duration(median(times)), ratio(median(times) / first)]);
    const text = [
      `The bank account of the ${books.name} books has ${figure(total)} lines. Pages of ${PAGE} lines with running`,
      `balance, over HTTP, medians of ${rounds} rounds in turn; the first page also counts all lines.`,
      '',
      table(['page', 'time', 'to the first'], rows),
    ].join('\n');
    const wanted = `A page in the middle of a register, ${books.name} lines: less than 3 times its first page`;
    return { title: 'An account’s register', text, aims: [{ wanted, seen: ratio(inMiddle), isMet: inMiddle < 3 }] };
  } finally {
    client.close();
  }
}
