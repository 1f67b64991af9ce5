import { isTrue } from '@evenkeel/contract/endpoint';
import { type BankLine, type Candidate, LINE_STATES, type MatchedEntry } from '@evenkeel/contract/statements';
import { notFound } from '@evenkeel/core/failure';
import { ZERO } from '@evenkeel/core/money';
import { pageOf } from '../db/page.ts';
import type { Tx } from '../db/tx.ts';
import type { Ctx } from '../http/context.ts';
import { markedLines } from '../ledger/marks.sql.ts';
import { bankingAccounts } from './accounts.sql.ts';
import { bestOf, candidatesOf, entryView } from './candidates.ts';
import {
  actsSql,
  type BankLineRow,
  bankLines,
  type EntryRow,
  entriesOfActs,
  type LineFilter,
  linesOfActs,
  linesSql,
  searchEntries,
  SETTLED,
  type ShownAct,
  statesSql,
} from './lines.sql.ts';
import { type Review, reviewOf } from './review.ts';

interface ListAsk extends LineFilter {
  sure?: string | undefined;
}

/** Bank lines by date, those for review with their best candidate; `parts` counts them by state. */
export async function listBankLines(ctx: Ctx, ask: ListAsk) {
  if (isTrue(ask.sure)) return sureLines(ctx, ask);
  const [rows, states] = await Promise.all([
    ctx.tx.rows(linesSql(ask)),
    ask.limit === undefined ? [] : ctx.tx.rows(statesSql(ask)),
  ]);
  const views = new Map((await lineViews(ctx.tx, rows)).map((view) => [view.id, view]));
  const shown = rows.flatMap((row) => {
    const view = views.get(row.id);
    return view === undefined ? [] : [{ ...row, view }];
  });
  const parts = Object.fromEntries(
    LINE_STATES.map((state) => {
      const { count = 0, amount = ZERO } = states.find((each) => each.state === state) ?? {};
      return [state, { count, amount }];
    }),
  );
  const isAll = ask.state === undefined || ask.state === 'all';
  const shownStates: readonly string[] = ask.state === 'settled' ? SETTLED : isAll ? LINE_STATES : [ask.state ?? ''];
  const total = shownStates.reduce((all, state) => all + (parts[state]?.count ?? 0), 0);
  return pageOf(ask, { rows: shown, total, parts }, ({ view }) => view);
}

/** The lines whose best candidate is sure: all of them on one page, since they are accepted together. */
async function sureLines(ctx: Ctx, { limit, after: _, skip: _s, ...ask }: ListAsk) {
  const rows = await ctx.tx.rows(linesSql({ ...ask, state: 'review' }));
  const items = (await lineViews(ctx.tx, rows)).filter(({ candidate }) => candidate?.sure === true);
  return limit === undefined ? items : { items, next: null, total: items.length };
}

/** One bank line. 404. */
export async function getBankLine(ctx: Ctx, id: number): Promise<BankLine> {
  const [view] = await lineViews(ctx.tx, [await lineRow(ctx.tx, id)]);
  if (view === undefined) throw notFound('Bank line');
  return view;
}

async function lineRow(tx: Tx, id: number): Promise<BankLineRow> {
  const row = await tx.row(bankLines.find({ id }));
  if (row === undefined) throw notFound('Bank line');
  return row;
}

/** Everything that may explain a bank line, and the unmatched entries that a search finds. 404. */
export async function bankLineCandidates(
  ctx: Ctx,
  id: number,
  q: string | undefined,
): Promise<{ candidates: Candidate[]; found: MatchedEntry[] }> {
  const line = await lineRow(ctx.tx, id);
  const { bankAccountId, date } = line;
  const review = line.state === 'review' ? await reviewOf(ctx.tx, bankAccountId) : undefined;
  const account = await ctx.tx.row(bankingAccounts.find({ id: bankAccountId }));
  const found = q ? await ctx.tx.rows(searchEntries(account?.glAccountId ?? 0, date, q)) : [];
  return {
    candidates: review === undefined ? [] : candidatesOf(review, line),
    found: found.map((row) => entryView(row, bankAccountId)),
  };
}

/** The acts on lines, read together. */
interface Acts {
  acts: ReadonlyMap<number, ShownAct>;
  entries: readonly EntryRow[];
  lines: readonly { id: number; actId: number }[];
  reconciled: ReadonlySet<number>;
}

async function actsOf(tx: Tx, rows: readonly BankLineRow[]): Promise<Acts> {
  const ids = [...new Set(rows.flatMap(({ actId }) => actId ?? []))];
  if (ids.length === 0) return { acts: new Map(), entries: [], lines: [], reconciled: new Set() };
  const [acts, entries, lines] = await Promise.all([
    tx.rows(actsSql(ids)),
    tx.rows(entriesOfActs(ids)),
    tx.rows(linesOfActs(ids)),
  ]);
  const marked = await tx.rows(markedLines.find({ lineId: entries.map(({ glid }) => glid) }));
  return {
    acts: new Map(acts.map((act) => [act.id, act])),
    entries,
    lines,
    reconciled: new Set(marked.map(({ lineId }) => lineId)),
  };
}

/** Bank lines as people see them, in their order; those for review are explained together with all of their account. */
export async function lineViews(tx: Tx, rows: readonly BankLineRow[]): Promise<BankLine[]> {
  const acts = await actsOf(tx, rows);
  const accountIds = new Set(rows.filter(({ state }) => state === 'review').map(({ bankAccountId }) => bankAccountId));
  const reviews = new Map<number, Review>();
  for (const id of accountIds) reviews.set(id, await reviewOf(tx, id));
  return rows.map((row) => lineView(row, acts, reviews.get(row.bankAccountId)));
}

function lineView(row: BankLineRow, acts: Acts, review: Review | undefined): BankLine {
  const { lineNo: _, key: _k, payee: _p, isDoubtful: doubtful, actId, ...line } = row;
  const entries = acts.entries.filter((entry) => entry.actId === actId && actId !== null);
  const best = row.state === 'review' && review !== undefined ? bestOf(review, row) : { candidate: null, choices: 0 };
  return {
    ...line,
    doubtful,
    reconciled: entries.some(({ glid }) => acts.reconciled.has(glid)),
    act: actId === null ? null : actView(row, acts, entries),
    ...best,
  };
}

function actView({ id, actId, bankAccountId }: BankLineRow, { acts, lines }: Acts, entries: readonly EntryRow[]) {
  const act = acts.get(actId ?? 0);
  if (act === undefined) throw new Error(`bank line ${id} has no act`);
  return {
    action: act.kind,
    reason: act.reason,
    by: act.by,
    at: act.madeAt.toISOString(),
    automatic: act.isAutomatic,
    ruleId: act.ruleId,
    entries: entries.map((entry) => entryView(entry, bankAccountId)),
    lineIds: lines.filter((other) => other.actId === actId && other.id !== id).map((other) => other.id),
  };
}
