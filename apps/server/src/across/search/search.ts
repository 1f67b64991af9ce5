import type { Area } from '@evenkeel/contract/areas';
import type { SearchResult } from '@evenkeel/contract/search';
import { accountLabel } from '@evenkeel/core/books/accounts';
import { formatDate } from '@evenkeel/core/dates';
import { formatUsd, negate, type Cents } from '@evenkeel/core/money';
import {
  fold,
  LEAST_SEARCHED,
  meantBy,
  type Mistyped,
  mistyped,
  readSearch,
  type Search,
  type Term,
} from '@evenkeel/core/words/search';
import { documentKinds, itemLabel, kindOf, PAYABLE, RECEIVABLE, type Side } from '@evenkeel/core/documents/side';
import { commonTexts } from '../../platform/db/search.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { holds } from '../../platform/http/session.ts';
import { companySettings } from '../../books/company-settings.ts';
import * as statements from './search.sql.ts';

interface Shown extends Pick<SearchResult, 'itemText' | 'searchDisplayItems'> {
  /** All else that is searched: shown where the text was found in it. */
  besides: readonly string[];
}

/** A kind of record that a search shows. */
interface Kind {
  /** Whoever may view it finds its records. */
  area: Area;
  /** Its records are names, among which a mistyped word is looked for. */
  isName?: true;
  /** Results by id, of records of the kind. */
  show: (ctx: Ctx, ids: readonly number[]) => Promise<Map<number, Shown>>;
}

/** The kinds by their numbers (SEARCH_KINDS of the contract). */
const kinds: readonly Kind[] = [
  { area: 'Customers', isName: true, show: showEntities(RECEIVABLE) },
  { area: 'Vendors', isName: true, show: showEntities(PAYABLE) },
  { area: 'Billing', show: showDocuments },
  { area: 'Expenses', show: showDocuments },
  { area: 'Products', isName: true, show: showOffered(statements.selectProducts) },
  { area: 'Products', isName: true, show: showOffered(statements.selectPackages) },
  { area: 'Billing', show: showPayments(RECEIVABLE) },
  { area: 'Expenses', show: showPayments(PAYABLE) },
  { area: 'Accounting', show: showJournals },
  { area: 'Accounting', isName: true, show: showAccounts },
  { area: 'Billing', show: showDocuments },
  { area: 'Billing', show: showDocuments },
  { area: 'Billing', show: showWork },
  { area: 'Billing', show: showScheduled },
  { area: 'Expenses', show: showScheduled },
  { area: 'Accounting', show: showScheduled },
  { area: 'Billing', show: showDocuments },
];
const numberOf = (shows: Kind['show']): number => kinds.findIndex(({ show }) => show === shows);

const numbersOf = (which: (kind: Kind) => boolean): number[] =>
  kinds.flatMap((kind, number) => (which(kind) ? [number] : []));

/**
 * Records of the areas that the caller may view that meet a search; none for fewer than 3 characters. If nothing
 * does, words from five letters on are forgiven one typing error.
 */
export async function search(ctx: Ctx, text: string): Promise<SearchResult[]> {
  if (Array.from(text).length < LEAST_SEARCHED) return [];
  const asked = readSearch(text, ctx.today);
  const viewed = numbersOf(({ area }) => holds(ctx, `View ${area}`));
  if (asked.terms.length === 0 || viewed.length === 0) return [];
  const find = async (wanted: Search) => {
    const words = wanted.terms.filter(({ amount, days }) => amount === undefined && days === undefined);
    const common = await commonTexts(
      ctx.tx,
      words.map(({ texts }) => texts),
    );
    return ctx.tx.rows(statements.selectFound(wanted, { kinds: viewed, account: numberOf(showAccounts), common }));
  };
  const found = await find(asked);
  if (found.length > 0) return shown(ctx, found, asked);
  const others = asked.ofAnyKind === undefined ? [] : await find(asked.ofAnyKind);
  if (asked.ofAnyKind !== undefined && others.length > 0) return shown(ctx, others, asked.ofAnyKind);
  const meant = await forgiven(ctx, asked.ofAnyKind ?? asked);
  if (meant === undefined) return [];
  const closest = await shown(ctx, await find(meant), meant);
  return closest.map((result) => ({ ...result, isClosest: true }));
}

/** The search with what its mistyped words may mean; undefined where no other word is near. */
async function forgiven(ctx: Ctx, { whole, terms }: Search): Promise<Search | undefined> {
  const names = numbersOf(({ isName }) => isName === true);
  const others = async (term: Term): Promise<Term> => {
    const [word] = term.texts.length === 1 && term.days === undefined ? term.texts : [];
    const wrong = word === undefined ? undefined : mistyped(word);
    return wrong === undefined ? term : { texts: [...term.texts, ...(await meanings(ctx, wrong, names))] };
  };
  const read = await Promise.all(terms.map(others));
  return read.some(({ texts }, at) => texts.length > (terms[at]?.texts.length ?? 0))
    ? { whole, terms: read }
    : undefined;
}

async function meanings(ctx: Ctx, wrong: Mistyped, names: readonly number[]): Promise<string[]> {
  const common = await commonTexts(
    ctx.tx,
    wrong.halves.map((half) => [half]),
  );
  const rows = await ctx.tx.rows(statements.selectMeant(wrong, { kinds: names, common }));
  const words = rows.flatMap((row) => row.words.split(' '));
  return meantBy(wrong, words).map((word) => ` ${word}`);
}

/** The results of entries, in their order; each kind's records are read by their ids. */
async function shown(ctx: Ctx, found: readonly statements.Found[], { terms }: Search): Promise<SearchResult[]> {
  const present = [...new Set(found.map(({ kind }) => kind))];
  const read = await Promise.all(
    present.map(async (number) => {
      const ids = found.filter(({ kind }) => kind === number).map(({ id }) => id);
      return [number, await kinds[number]?.show(ctx, ids)] as const;
    }),
  );
  const results = new Map(read);
  return found.flatMap(({ kind, id }) => {
    const result = results.get(kind)?.get(id);
    if (result === undefined) return [];
    const { itemText, searchDisplayItems, besides } = result;
    const lines = [...searchDisplayItems, ...reasons([itemText, ...searchDisplayItems], besides, terms)];
    return [{ itemId: id, itemType: kind, itemText, searchDisplayItems: lines }];
  });
}

/** The lines that a text was found in, where it is in none of those that are shown anyway. */
function reasons(shownLines: readonly string[], besides: readonly string[], terms: readonly Term[]): string[] {
  const [before, all] = [shownLines.map(fold), besides.map(fold)];
  const unseen = terms.flatMap(({ texts }) => {
    const wanted = texts.map((text) => text.trimStart());
    return wanted.some((text) => before.some((line) => line.includes(text))) ? [] : wanted;
  });
  return [...new Set(besides.filter((_, at) => unseen.some((text) => all[at]?.includes(text))))];
}

/** A result of each row, by its id; lines that say nothing are left out. */
function byId<R extends { id: number; besides: string[] }>(
  rows: readonly R[],
  view: (row: R) => [text: string, ...lines: string[]],
) {
  return new Map(
    rows.map((row): [number, Shown] => {
      const [itemText, ...lines] = view(row);
      const { id, besides } = row;
      return [id, { itemText, searchDisplayItems: lines.filter((line) => line !== ''), besides }];
    }),
  );
}

function showEntities(side: Side): Kind['show'] {
  const balanceOf = (balance: Cents) => (balance === 0 ? '' : formatUsd(balance));
  return async (ctx, ids) =>
    byId(await ctx.tx.rows(statements.selectEntities(side, ids)), ({ name, email, phone, balance }) => [
      name,
      email,
      phone,
      balanceOf(balance),
    ]);
}

async function showDocuments(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Shown>> {
  return byId(await ctx.tx.rows(statements.selectDocuments(ids)), (row) => datedView(row, 'open'));
}

function showPayments(side: Side): Kind['show'] {
  return async (ctx, ids) =>
    byId(await ctx.tx.rows(statements.selectPaid(side, ids)), (row) => datedView(row, 'unapplied'));
}

function datedView(row: statements.DatedRow, left: string): [string, ...string[]] {
  // On its own a write-off is above zero.
  const amount = kindOf(row.kind).waives === true ? negate(row.amount) : row.amount;
  const state = row.isDraft ? 'Draft' : row.left === 0 ? '' : `${formatUsd(row.left)} ${left}`;
  return [`${itemLabel(row.kind, -row.amount)} ${row.number}`, row.name, formatDate(row.day), formatUsd(amount), state];
}

async function showWork(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Shown>> {
  return byId(await ctx.tx.rows(statements.selectWork(ids)), ({ description, name, day, amount }) => [
    description,
    name,
    formatDate(day),
    formatUsd(amount),
  ]);
}

async function showScheduled(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Shown>> {
  return byId(await ctx.tx.rows(statements.selectScheduled(ids)), ({ template, name, next, paused, amount }) => [
    template,
    name,
    paused ? 'Paused' : next === null ? 'Ended' : `Next ${formatDate(next)}`,
    formatUsd(amount),
  ]);
}

function showOffered(select: (ids: readonly number[]) => ReturnType<typeof statements.selectProducts>): Kind['show'] {
  const priceOf = (price: Cents | null) => (price === null ? '' : formatUsd(price));
  return async (ctx, ids) =>
    byId(await ctx.tx.rows(select(ids)), ({ name, description, price }) => [name, description, priceOf(price)]);
}

async function showJournals(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Shown>> {
  const rows = await ctx.tx.rows(statements.selectJournals(numberOf(showJournals), ids));
  return byId(rows, ({ id, description, day, amount }) => [
    `${documentKinds.journal.label} ${id}`,
    description,
    formatDate(day),
    formatUsd(amount),
  ]);
}

async function showAccounts(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Shown>> {
  const [rows, { useAccountNumbers }] = await Promise.all([
    ctx.tx.rows(statements.selectAccounts(ids)),
    companySettings(ctx),
  ]);
  return byId(rows, (account) => [accountLabel(account, useAccountNumbers), account.type]);
}
