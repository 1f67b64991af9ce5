import { idOrNull } from '@evenkeel/contract/fields';
import { Deposit, type DepositInput, type Receipt } from '@evenkeel/contract/transfers';
import { accountTypeInfo } from '@evenkeel/core/books/accounts';
import { conflict, type FieldMessages, refuse } from '@evenkeel/core/failure';
import { documentKinds } from '@evenkeel/core/documents/side';
import { depositTotal, postDeposit, refusedInDeposit, requireDeposit } from '@evenkeel/core/banking/transfers';
import type { Runnable } from '../../platform/db/query.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { accountFault, noteFault, referenceFault, refuseFaults } from '../../books/ledger/references.ts';
import {
  bankDocumentCalls,
  type BankFlow,
  type Bound,
  builtHead,
  filesOf,
  idsNamed,
  listBankDocuments,
  noteBank,
  shownHead,
} from './bank-documents.ts';
import type { ListFilter, ListRow, NamedBankDocument } from './bank-documents.sql.ts';
import {
  depositFacts,
  type DepositFacts,
  type DepositLineRow,
  depositLines,
  depositReceipts,
  linesOfDeposit,
  type ReceiptRow,
  receiptsOf,
  undepositedSql,
} from './deposits.sql.ts';

const kind = documentKinds.deposit;

/** The receipts and other lines of a deposit. */
export interface DepositParts {
  receipts: readonly ReceiptRow[];
  lines: readonly DepositLineRow[];
}

/** Deposits combine receipts from Undeposited Funds with other money into one bank entry. */
export const depositFlow: BankFlow<typeof Deposit, DepositInput, DepositFacts, DepositParts> = {
  kind,
  subject: { name: kind.source, schema: Deposit, idOf: ({ id }) => id },
  facts: (inputs, isNew) => {
    const receipts = inputs.flatMap((input) => input.receipts ?? []);
    const lines = inputs.flatMap(({ lineItems }) => lineItems ?? []);
    return depositFacts({
      bankIds: idsNamed(inputs.map((input) => input.bankAccountId)),
      fileIds: filesOf(inputs, isNew),
      newCount: isNew ? inputs.length : 0,
      paymentIds: idsNamed(receipts.map(({ paymentId }) => paymentId)),
      lineIds: idsNamed(receipts.map(({ lineId }) => lineId)),
      accountIds: idsNamed(lines.map(({ accountId }) => accountId)),
      entityIds: idsNamed(lines.map(({ entityId }) => entityId)),
      profitCenterIds: idsNamed(lines.map(({ profitCenterId }) => profitCenterId)),
      locationIds: idsNamed(lines.map(({ locationId }) => locationId)),
    });
  },
  build: (input, facts, { today, stored }) => {
    const receipts = receiptsNamed(input, facts, stored?.head);
    const lines = linesNamed(input);
    const amounts = receipts.map(({ amount }) => amount);
    requireDeposit({ bankAccountId: input.bankAccountId, receipts: amounts, lineItems: input.lineItems ?? [] });
    const to = facts.banks.find(({ id }) => id === input.bankAccountId);
    requireReferences(input, facts, stored);
    const amount = depositTotal(amounts, lines);
    const own = { ...input, amount, date: input.depositDate };
    const head = builtHead(kind, own, { today, stored: stored?.head, to, ids: facts.ids });
    return { head, parts: { receipts, lines } };
  },
  transaction: ({ head, parts }, description) =>
    postDeposit({
      date: head.date,
      accountId: head.glAccountId,
      description,
      receipts: parts.receipts.map(({ amount }) => amount),
      lines: parts.lines,
    }),
  view: ({ head, parts }, documentLinks) => ({
    ...headView(head),
    receipts: parts.receipts.map(receiptView),
    lineItems: parts.lines.map(({ accountId, amount, description, entityId, profitCenterId, locationId }) => {
      return { accountId, amount, description, entityId, profitCenterId, locationId };
    }),
    documentLinks,
  }),
  parts: async (tx, id) => {
    const [receipts, lines] = await tx.inOrder([receiptsOf(id), linesOfDeposit(id)]);
    return { receipts, lines };
  },
  writeParts,
  release: (id) => [depositReceipts.delete({ depositId: id })],
  made: ({ head, parts }, facts) => {
    const taken = new Set(parts.receipts.map(keyOf));
    for (const receipt of facts.receipts.filter((each) => taken.has(keyOf(each)))) {
      receipt.depositId = head.id;
      receipt.depositNumber = head.number;
    }
  },
};

export const deposits = bankDocumentCalls(depositFlow);

/** Posts a deposit inside another operation's transaction, such as matching a bank transaction. */
export const createDeposit = deposits.create;

/** Lists deposits, sorted by date. Returns all of them, or one page if `limit` is given. */
export const listDeposits = (ctx: Ctx, filter: ListFilter) =>
  listBankDocuments(ctx, kind, filter, (row: ListRow) => ({ ...headView(row), receiptCount: row.receiptCount }));

/** Returns the receipts in Undeposited Funds without a deposit, earliest first. */
export async function listUndeposited(ctx: Ctx): Promise<Receipt[]> {
  return (await ctx.tx.rows(undepositedSql())).map(receiptView);
}

function headView(head: NamedBankDocument) {
  return {
    ...shownHead(head),
    depositNumber: head.number,
    depositDate: head.date,
    bankAccountId: head.bankAccountId,
    bankAccountName: head.bankName,
  };
}

function receiptView(row: ReceiptRow): Receipt {
  const { paymentId, lineId, sourceType, sourceId, number, receiptDate, payer, referenceNumber, memo, amount } = row;
  return { paymentId, lineId, sourceType, sourceId, number, receiptDate, payer, referenceNumber, memo, amount };
}

const keyOf = ({ paymentId, lineId }: { paymentId?: number | null | undefined; lineId?: number | null | undefined }) =>
  `${idOrNull(paymentId) ?? ''} ${idOrNull(lineId) ?? ''}`;

/** Returns the receipts in a request. Throws 422 for a duplicate and 409 for a receipt in another deposit. */
function receiptsNamed(
  input: DepositInput,
  facts: DepositFacts,
  stored: NamedBankDocument | undefined,
): readonly ReceiptRow[] {
  const known = new Map(facts.receipts.map((receipt) => [keyOf(receipt), receipt]));
  const seen = new Set<string>();
  return (input.receipts ?? []).map((asked, index) => {
    const no = (message: string) => refuse(message, { [`receipts.${index}`]: message });
    const key = keyOf(asked);
    const receipt = known.get(key);
    if (receipt === undefined) throw no('This receipt is no longer in Undeposited Funds');
    if (seen.has(key)) throw no('This receipt is selected twice');
    seen.add(key);
    if (receipt.depositId !== null && receipt.depositId !== stored?.id) {
      const name = receipt.payer === '' ? 'The receipt' : `The receipt from ${receipt.payer}`;
      throw conflict(`${name} is already in deposit ${receipt.depositNumber ?? ''}. Reload the page.`);
    }
    return receipt;
  });
}

function linesNamed({ lineItems }: DepositInput): DepositLineRow[] {
  return (lineItems ?? []).map((line) => ({
    accountId: line.accountId ?? 0,
    amount: line.amount,
    description: line.description ?? '',
    entityId: idOrNull(line.entityId),
    profitCenterId: idOrNull(line.profitCenterId),
    locationId: idOrNull(line.locationId),
  }));
}

/**
 * Every ID must belong to the company and be usable. A deposit can keep an inactive record that it already refers to.
 */
function requireReferences(input: DepositInput, facts: DepositFacts, stored: Bound<DepositParts> | undefined): void {
  const fields: FieldMessages = {};
  const bank = facts.banks.find(({ id }) => id === input.bankAccountId);
  const chosen = bank && { ...bank, allowed: bank.allowDeposits };
  noteBank(fields, 'bankAccountId', { bank: chosen, before: stored?.head.bankAccountId });
  const lines = stored?.parts.lines ?? [];
  const kept = <K extends keyof DepositLineRow>(field: K, id: DepositLineRow[K] | null) =>
    lines.some((line) => line[field] === id) ? id : undefined;
  linesNamed(input).forEach((line, index) => {
    const path = `lineItems.${index}`;
    const { accountId, entityId, profitCenterId, locationId } = line;
    const account = facts.accounts.find(({ id }) => id === accountId);
    const info = account && accountTypeInfo(account.type, account.contra);
    const refused = info && bank && refusedInDeposit(accountId, info, bank.glAccountId);
    const fault = accountFault(facts.accounts, { id: accountId, before: kept('accountId', accountId) });
    noteFault(fields, `${path}.accountId`, fault ?? refused);
    const entity = { id: entityId, before: kept('entityId', entityId) };
    noteFault(fields, `${path}.entityId`, referenceFault('entity', facts.entities, entity));
    const center = { id: profitCenterId, before: kept('profitCenterId', profitCenterId) };
    noteFault(fields, `${path}.profitCenterId`, referenceFault('profitCenter', facts.profitCenters, center));
    const place = { id: locationId, before: kept('locationId', locationId) };
    noteFault(fields, `${path}.locationId`, referenceFault('location', facts.locations, place));
  });
  refuseFaults(fields);
}

/** Returns the rows for new deposits, or the new rows for changed deposits, which replace their old ones. */
function writeParts(documents: readonly Bound<DepositParts>[], isNew: boolean): Runnable<unknown>[] {
  const receipts = documents.flatMap(({ head, parts }) =>
    parts.receipts.map(({ paymentId, lineId, amount }, index) => {
      return { depositId: head.id, lineNo: index + 1, paymentId, lineId, amount };
    }),
  );
  const lines = documents.flatMap(({ head, parts }) =>
    parts.lines.map((line, index) => ({ ...line, depositId: head.id, lineNo: index + 1 })),
  );
  const depositIds = isNew ? [] : documents.map(({ head }) => head.id);
  return [
    ...depositIds.flatMap((depositId) => [depositReceipts.delete({ depositId }), depositLines.delete({ depositId })]),
    ...(receipts.length === 0 ? [] : [depositReceipts.insertMany(receipts)]),
    ...(lines.length === 0 ? [] : [depositLines.insertMany(lines)]),
  ];
}
