// npm run bench: measures everything in one run. --quick: uses little data and short rounds. --write: updates
// docs/performance.md.
// --only 'a chapter': measures one chapter by its name in measure().
// --transactions 100000: measures the imports of books with one company of this size.
// --scale: measures only an installation with a company of 50,000,000 lines and 10,000 other companies. Needs 30 GB of
// disk. --lines and --companies change the sizes.
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, say } from '../../scripts/checkout.mjs';
import { keepingParts, withPart } from '../../scripts/generate/page-parts.ts';
import { measureBackdating } from './backdating.ts';
import { measureBanking } from './banking.ts';
import { extremes, makeBooks } from './books.ts';
import { measureCold } from './cold.ts';
import { measureCosts } from './costs.ts';
import { measureDemo } from './demo.ts';
import { measureDocuments } from './documents.ts';
import type { Chapter } from './figures.ts';
import { measureHealth } from './health.ts';
import { measureKnown } from './known.ts';
import { measureLists } from './lists.ts';
import { measureMoving } from './moving.ts';
import { measureNeighbours } from './neighbours.ts';
import { markdown, measurements, performancePage, thisMachine } from './page.ts';
import { measurePeers } from './peers/peers.ts';
import { measurePayments } from './payments.ts';
import { measurePosting } from './posting.ts';
import { measureProcesses } from './processes.ts';
import { measureRegister } from './register.ts';
import { measureReports } from './reports.ts';
import { measureSearch } from './search.ts';
import { measureRehearsals } from './rehearsals.ts';
import { measurePrinting } from './printing.ts';
import { measureScale, SCALE } from './scale.ts';
import { type RunningServer, startServer } from './server.ts';
import { measureStatements } from './statements.ts';
import { measureWeb } from './web.ts';

const thorough = {
  posting: { rounds: 5, milliseconds: 3000, isLong: true },
  sizes: [10_000, 100_000, 1_000_000],
  reportRounds: 60,
  peers: { sizes: [10_000, 100_000], rounds: 3, milliseconds: 3000 },
  registerRounds: 100,
  backdating: { rounds: 5, milliseconds: 3000 },
  lists: { sizes: [5000, 100_000], rounds: 30 },
  search: { entries: 1_000_000, rounds: 30 },
  bankingRounds: 15,
  neighbours: 12_000,
  rehearsals: 1000,
};
const quick: typeof thorough = {
  posting: { rounds: 3, milliseconds: 1000, isLong: false },
  sizes: [10_000, 100_000],
  reportRounds: 10,
  peers: { sizes: [10_000], rounds: 2, milliseconds: 1000 },
  registerRounds: 20,
  backdating: { rounds: 3, milliseconds: 1000 },
  lists: { sizes: [5000, 100_000], rounds: 10 },
  search: { entries: 100_000, rounds: 10 },
  bankingRounds: 5,
  neighbours: 2000,
  rehearsals: 200,
};

/** Prints a chapter at once, so that a chapter that fails later loses none of the figures. */
async function print(chapter: Chapter): Promise<void> {
  process.stdout.write(await measurements([chapter]));
}

async function measure(
  server: RunningServer,
  plan: typeof thorough,
  { only, transactions }: { only?: string | undefined; transactions?: number | undefined },
): Promise<Chapter[]> {
  const chapters: Chapter[] = [];
  const isWanted = (name: string): boolean => only === undefined || name === only;
  const add = async (name: string, chapter: () => Promise<Chapter>): Promise<void> => {
    if (!isWanted(name)) return;
    say(`Measuring ${name}…`);
    const made = await chapter();
    chapters.push(made);
    await print(made);
  };
  await add('posting', () => measurePosting(server, plan.posting));
  await add('costs', () => measureCosts(server));
  await add('a cold server', () => measureCold(server, plan.backdating.rounds));
  await add('several processes', () => measureProcesses(server, plan.posting));
  await add('bills and payments', () => measureDocuments(server, plan.backdating));
  await add('payments and edits', () => measurePayments(server));
  if (['reports', 'the register', 'back-dating', 'health', 'printing', 'other programs'].some(isWanted)) {
    const books = await makeBooks(server, plan.sizes);
    const { large } = extremes(books);
    await add('reports', () => measureReports(server, books, plan.reportRounds));
    await add('the register', () => measureRegister(server, large, plan.registerRounds));
    await add('back-dating', () => measureBackdating(server, large, plan.backdating));
    await add('health', () => measureHealth(server, large, plan.registerRounds));
    await add('printing', () => measurePrinting(server, large, plan.backdating.rounds));
    await add('other programs', () =>
      measurePeers(
        server,
        books.filter(({ lines }) => lines < 200_000),
        plan.peers,
      ),
    );
  }
  // The books above contain invoices whose numbers this chapter needs.
  await add('earlier reports', async () => {
    const { large } = extremes(await makeBooks(server, plan.sizes.slice(-1), 'Earlier'));
    return measureKnown(server, large, plan.backdating.rounds);
  });
  await add('lists', () => measureLists(server, plan.lists.sizes, plan.lists.rounds));
  await add('search', () => measureSearch(server, plan.search.entries, plan.search.rounds));
  await add('statement files', async () => measureStatements(plan.bankingRounds));
  await add('bank lines', () => measureBanking(server, plan.bankingRounds));
  await add('neighbours', () => measureNeighbours(server, plan.neighbours));
  await add('rehearsals', () => measureRehearsals(server, plan.rehearsals));
  await add('imports of books', () => measureMoving(server, plan === quick, transactions));
  await add('the demo company', () => measureDemo(server));
  await add('the first page', () => measureWeb(server));
  return chapters;
}

async function postgresVersion({ raw }: RunningServer): Promise<string> {
  const { rows } = await raw.query<{ version: string }>("select current_setting('server_version') as version");
  return rows[0]?.version ?? 'unknown';
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    write: { type: 'boolean' },
    only: { type: 'string' },
    transactions: { type: 'string' },
    scale: { type: 'boolean' },
    lines: { type: 'string', default: '50000000' },
    companies: { type: 'string', default: '10000' },
  },
});
const isQuick = values.quick === true;
const plan = isQuick ? quick : thorough;
const transactions = values.transactions === undefined ? undefined : Number(values.transactions);
const loadBefore = loadavg()[0] ?? 0;
const began = performance.now();
const server = await startServer();
try {
  const chapters =
    values.scale === true
      ? await measureScale(
          server,
          { lines: Number(values.lines), companies: Number(values.companies), rounds: plan.registerRounds },
          print,
        )
      : await measure(server, plan, { only: values.only, transactions });
  const page = await performancePage(chapters, {
    date: new Date().toISOString().slice(0, 10),
    minutes: (performance.now() - began) / 60_000,
    loadBefore,
    isQuick,
    machine: thisMachine(await postgresVersion(server)),
  });
  process.stdout.write(`${page}\n`);
  if (values.write === true) {
    const file = join(root, 'docs/performance.md');
    const before = await readFile(file, 'utf8');
    const scale = chapters.find(({ title }) => title === SCALE)?.text;
    const next =
      scale === undefined ? keepingParts(page, before) : withPart(before, 'scale', `## ${SCALE}\n\n${scale}`);
    await writeFile(file, await markdown(next));
  }
} finally {
  await server.stop();
}
