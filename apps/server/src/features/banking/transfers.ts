import { Transfer, type TransferInput } from '@evenkeel/contract/transfers';
import { type FieldMessages, present } from '@evenkeel/core/failure';
import { documentKinds } from '@evenkeel/core/documents/side';
import { postTransfer, requireTransfer } from '@evenkeel/core/banking/transfers';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/http/context.ts';
import { refuseFaults } from '../../books/ledger/references.ts';
import {
  bankDocumentCalls,
  type BankFlow,
  builtHead,
  filesOf,
  idsNamed,
  listBankDocuments,
  noteBank,
  shownHead,
} from './bank-documents.ts';
import { type BankFacts, bankFacts, type ListFilter, type NamedBankDocument } from './bank-documents.sql.ts';

const kind = documentKinds.transfer;

/** Transfers between bank accounts. Each transfer is one journal transaction with one entry per account. */
export const transferFlow: BankFlow<typeof Transfer, TransferInput, BankFacts, undefined> = {
  kind,
  subject: { name: kind.source, schema: Transfer, idOf: ({ id }) => id },
  facts: (inputs, isNew) =>
    sql`select ${bankFacts({
      bankIds: idsNamed(inputs.flatMap((input) => [input.fromBankAccountId, input.toBankAccountId])),
      fileIds: filesOf(inputs, isNew),
      newCount: isNew ? inputs.length : 0,
    })}`,
  build: (input, { banks, ids }, { today, stored }) => {
    requireTransfer(input);
    const [from, to] = [input.fromBankAccountId, input.toBankAccountId].map((id) => {
      const bank = banks.find((each) => each.id === id);
      return bank && { ...bank, allowed: true };
    });
    const before = [stored?.head.fromBankAccountId, stored?.head.bankAccountId];
    const fields: FieldMessages = {};
    noteBank(fields, 'fromBankAccountId', { bank: from, before: before.find((id) => id === from?.id) });
    noteBank(fields, 'toBankAccountId', { bank: to, before: before.find((id) => id === to?.id) });
    refuseFaults(fields);
    const head = builtHead(
      kind,
      { ...input, date: input.transferDate },
      { today, stored: stored?.head, to, from, ids },
    );
    return { head, parts: undefined };
  },
  transaction: ({ head }, description) =>
    postTransfer({
      date: head.date,
      fromAccountId: present(head.fromGlAccountId, 'transfer account'),
      toAccountId: head.glAccountId,
      amount: head.amount,
      description,
    }),
  view: ({ head }, documentLinks) => ({ ...rowView(head), documentLinks }),
  parts: async () => undefined,
  writeParts: () => [],
  release: () => [],
};

export const transfers = bankDocumentCalls(transferFlow);

function rowView(head: NamedBankDocument) {
  return {
    ...shownHead(head),
    transferNumber: head.number,
    transferDate: head.date,
    fromBankAccountId: present(head.fromBankAccountId, 'transfer bank account'),
    fromBankAccountName: head.fromBankName ?? '',
    toBankAccountId: head.bankAccountId,
    toBankAccountName: head.bankName,
  };
}

/** Lists transfers, sorted by date. Returns all of them, or one page if `limit` is given. */
export const listTransfers = (ctx: Ctx, filter: ListFilter) => listBankDocuments(ctx, kind, filter, rowView);

/** Posts a transfer inside another operation's transaction, such as matching a bank transaction. */
export const createTransfer = transfers.create;
