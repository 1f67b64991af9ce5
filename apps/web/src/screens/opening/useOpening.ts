import { openingCalls, type OpeningBalances } from '@evenkeel/contract/opening';
import { entityCalls } from '@evenkeel/contract/entities';
import type { ChartAccount } from '@evenkeel/contract/ledger';
import { OPENING_BALANCE_EQUITY, refusedOnLine } from '@evenkeel/core/books/accounts';
import type { IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import { useMemo, useState } from 'react';
import { ask, messageOf, send, useReadNow, useStale } from '../../client/api.ts';
import { ApiError } from '../../client/transport.ts';
import type { Choice } from '../../parts/choices/choice.ts';
import { useSalesTaxScenarios } from '../../parts/choices/salesTax.ts';
import { typeOf } from '../../parts/ledger/accountType.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { type Draft, useDraft } from '../../ui/hooks/draft.ts';
import { useOnce } from '../../ui/hooks/once.ts';
import { useStable } from '../../ui/hooks/stable.ts';
import { byName } from '../../ui/table/pasted.ts';
import {
  checkRow,
  creditAccount,
  copiedDown,
  emptyRow,
  figuresOf,
  formOf,
  type Grid,
  GRIDS,
  isEntered,
  type OpenBalance,
  type OpeningForm,
  type OpenRow,
  placeOfFault,
  requestOf,
  rowsOf,
  rowsToFix,
  withBalance,
  withoutRow,
  withRow,
} from './openingForm.ts';
import { type OpeningNames, pasteOpening } from './openingPaste.ts';
import { readForm } from './openingDraft.ts';

interface Given {
  posted: OpeningBalances;
  accounts: readonly ChartAccount[];
  /** The date of a new form. */
  start: IsoDate;
}

/** Returns the sales tax scenarios, both as records and as options. */
function useTaxes() {
  const scenarios = useSalesTaxScenarios();
  const taxes = useMemo<Choice[]>(
    () =>
      (scenarios ?? []).map(({ id, name, salesTaxItems }) => {
        const items = salesTaxItems.filter(({ deleted }) => !deleted).map(({ displayLabel }) => displayLabel);
        return { id, label: name === '' ? items.join(' + ') : name };
      }),
    [scenarios],
  );
  return { scenarios, taxes };
}

/** Returns a function that loads the names of all records that pasted rows can refer to. */
function useNames(accounts: readonly ChartAccount[], scenarios: ReturnType<typeof useTaxes>['scenarios']) {
  const readNow = useReadNow();
  return async (): Promise<OpeningNames> => {
    const [customers, vendors] = await Promise.all([
      readNow(ask(entityCalls.listCustomers, { query: {} })),
      readNow(ask(entityCalls.listVendors, { query: {} })),
    ]);
    return {
      customers: byName(rowsIn(customers).map(({ id, displayname }) => [id, [displayname]] as const)),
      vendors: byName(rowsIn(vendors).map(({ id, displayname }) => [id, [displayname]] as const)),
      accounts: byName(
        accounts.map((account) => {
          const { displayAccountNumber: number, displayAccountName: name, displayAccountLabel: label } = account;
          return [account.customerAccountID, [number, name, label, `${number} ${name}`]] as const;
        }),
      ),
      scenarios: byName(
        (scenarios ?? []).map(({ id, name, salesTaxItems }) => {
          return [id, [name, ...salesTaxItems.map(({ displayLabel }) => displayLabel)]] as const;
        }),
      ),
    };
  };
}

/** Returns the state of posting the form, and the function that posts it. */
function usePosting(posted: OpeningBalances, { value: form, sent, clear }: Draft<OpeningForm>, isLocked: boolean) {
  const stale = useStale();
  const alert = useAlerts();
  const once = useOnce();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [faults, setFaults] = useState<FieldMessages>({});
  const [isTried, setTried] = useState(false);
  const figures = figuresOf(form);
  const isEmpty = GRIDS.every((grid) => rowsOf(form, grid).length === 0) && figures.debits === 0;
  const canPost = form.date !== null && rowsToFix(form) === 0 && figures.equity === figures.stated && !isEmpty;
  const post = async () => {
    if (isLocked || isBusy) return undefined;
    setTried(true);
    if (!canPost) return undefined;
    setBusy(true);
    setProblem(undefined);
    try {
      const body = requestOf(form);
      await (posted.date === null
        ? send(ask(openingCalls.postOpeningBalances, { body }), sent)
        : send(ask(openingCalls.redoOpeningBalances, { body: { ...body, rowVersion: posted.rowVersion } }), sent));
      clear();
      stale();
      alert.success('Opening balances posted');
      return true;
    } catch (error) {
      setProblem(messageOf(error));
      if (error instanceof ApiError) setFaults(placedFaults(form, error.fields));
      if (error instanceof ApiError && error.body.code === 'stale') stale();
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    problem,
    faults,
    isTried,
    canPost,
    post: () => void once.run(post),
    /** Clears the messages of the last attempt, because the form has changed. */
    renew: () => {
      setFaults({});
      setProblem(undefined);
    },
  };
}

/** The opening balances form, its options, and its actions. */
export function useOpening({ posted, accounts, start }: Given) {
  const initial = useMemo(() => formOf(posted, start), [posted, start]);
  const draft = useDraft<OpeningForm>({ name: `opening:${posted.rowVersion}`, initial, read: readForm });
  const { scenarios, taxes } = useTaxes();
  const names = useNames(accounts, scenarios);
  const alert = useAlerts();
  const [isRedone, setRedone] = useState(draft.restored);
  const isPosted = posted.date !== null;
  const isLocked = isPosted && !isRedone;
  const form = draft.value;
  const { isTried, renew, ...posting } = usePosting(posted, draft, isLocked);
  const lineAccounts = useMemo(() => choicesOf(accounts), [accounts]);

  const change = (next: (before: OpeningForm) => OpeningForm) => {
    renew();
    draft.set(next);
  };

  const paste = async (grid: Grid, at: { key?: number; cell: string; text: string }) => {
    try {
      const found = await names();
      change((before) => {
        const key = at.key ?? before[grid].at(-1)?.key ?? 1;
        return pasteOpening(before, { grid, key, cell: at.cell, text: at.text }, found);
      });
    } catch (error) {
      alert.error(messageOf(error));
    }
  };

  const takeParty = (grid: Grid, row: OpenRow, id: number) =>
    change((before) => {
      const others = before[grid].filter((each) => each.name === row.name && each.entityId === null);
      return others.reduce((next, { key }) => withRow(next, grid, key, { entityId: id }), before);
    });

  const setBalance = useStable((accountId: number, side: keyof OpenBalance, amount: OpenBalance['debit']) =>
    change((before) => withBalance(before, accountId, side, amount)),
  );

  return {
    ...posting,
    form,
    accounts,
    lineAccounts,
    taxes,
    isLocked,
    change,
    paste: (grid: Grid, at: { key?: number; cell: string; text: string }) => void paste(grid, at),
    /** Assigns a new customer or vendor to all rows that contain its name. */
    takeParty,
    redo: isPosted && posted.closedThrough === null ? () => setRedone(true) : undefined,
    setBalance,
    setRow: (grid: Grid, key: number, patch: Partial<OpenRow>) =>
      change((before) => withRow(before, grid, key, withAccount(before, { grid, key, patch }))),
    removeRow: (grid: Grid, key: number) => change((before) => withoutRow(before, grid, key)),
    copyDown: (grid: Grid, at: { key: number; cell: string }) => change((before) => copiedDown(before, grid, at)),
    messagesOf: (grid: Grid, row: OpenRow): FieldMessages => {
      const own = isTried ? checkRow(row, grid, form.date) : {};
      return { ...own, ...toldOf(row), ...faultsOf(posting.faults, grid, row) };
    },
  };
}

/** Returns the message about pasted text that was not understood. */
const toldOf = ({ told, entityId }: OpenRow): FieldMessages =>
  told === undefined ? {} : { told, ...(entityId === null && { party: told }) };

/** Returns the server's messages about a row. */
function faultsOf(faults: FieldMessages, grid: Grid, row: OpenRow): FieldMessages {
  return Object.fromEntries(
    Object.entries(faults).flatMap(([path, message]) => {
      const [list, key, cell = 'told'] = path.split(' ');
      return list === grid && Number(key) === row.key ? [[cell, message] as const] : [];
    }),
  );
}
export type Opening = ReturnType<typeof useOpening>;

/**
 * When a credit switches between a customer and a vendor, it gets the unapplied cash account of the other side, unless
 * the user has selected another account.
 */
function withAccount(
  form: OpeningForm,
  { grid, key, patch }: { grid: Grid; key: number; patch: Partial<OpenRow> },
): Partial<OpenRow> {
  if (grid !== 'credits' || patch.isVendor === undefined) return patch;
  const row = form[grid].find((each) => each.key === key) ?? emptyRow(key, grid);
  const isUsual = row.accountId === null || row.accountId === creditAccount(row.isVendor);
  return isUsual ? { accountId: creditAccount(patch.isVendor), ...patch } : patch;
}

const rowsIn = <Row>(reply: readonly Row[] | { items: readonly Row[] }): readonly Row[] =>
  'items' in reply ? reply.items : reply;

/** Returns the accounts that an open document can have, including the unapplied cash accounts. */
function choicesOf(accounts: readonly ChartAccount[]): Choice[] {
  return accounts.flatMap((account) => {
    const info = typeOf(account);
    const { customerAccountID: id, displayAccountLabel: label, displayAccountType: type, system } = account;
    if (!isEntered(info) || id === OPENING_BALANCE_EQUITY) return [];
    const isUnapplied = id === creditAccount(false) || id === creditAccount(true);
    const isUsable =
      isUnapplied || refusedOnLine({ type, contra: info?.contra ?? false, system }, 'payable') === undefined;
    return isUsable ? [{ id, label }] : [];
  });
}

/** Returns the server's messages by their location in the form: "invoices 3 number", "date", or "accounts". */
function placedFaults(form: OpeningForm, fields: FieldMessages): FieldMessages {
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const place = placeOfFault(form, path);
      return [place === undefined ? path : `${place.grid} ${place.key} ${place.cell}`, message];
    }),
  );
}
