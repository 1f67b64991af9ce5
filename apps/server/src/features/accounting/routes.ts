import { budgetCalls } from '@evenkeel/contract/budgets';
import { closingCalls } from '@evenkeel/contract/closing';
import { isTrue } from '@evenkeel/contract/endpoint';
import { ledgerCalls as calls } from '@evenkeel/contract/ledger';
import { listRecords, removeRecord, saveRecord, updateRecord } from '../../platform/db/records.ts';
import { commandRoute, type Route, route } from '../../platform/http/route.ts';
import { setupAccount } from './account-setup.ts';
import { chartOfAccounts, listAccounts, listMasterAccounts } from './accounts.ts';
import { getBudget, saveBudget } from './budgets.ts';
import { closingChecklist, closingDate, closingLine, setClosingDate, signOff } from './closing.ts';
import { accountCategories, locations, profitCenters } from './dimensions.ts';
import { deleteDraft, listDrafts } from './journal-draft.ts';
import { postTransaction, reverseTransaction } from './journal-entry.ts';
import { exportFile } from './export.ts';
import { postedItems } from './posted.ts';
import { proofFile, proofPublicKey } from './proof.ts';
import { figureEntries, openItems, owing } from './figure.ts';
import { enteredJournal } from '../../books/ledger/journal-posting.ts';
import { accountEntries } from '../../books/ledger/register.ts';
import { accountSignOffs, signOffAccount, withdrawSignOff } from './sign-offs.ts';
import { sourceEntries, transactionEntries } from './transactions.ts';

export const ledgerRoutes: Route[] = [
  route(calls.listAccounts, (ctx, { query }) => listAccounts(ctx, 'every', isTrue(query.inactive))),
  route(calls.listPaymentAccounts, (ctx, { query }) => listAccounts(ctx, 'payment', isTrue(query.inactive))),
  route(calls.listRevenueAccounts, (ctx, { query }) => listAccounts(ctx, 'revenue', isTrue(query.inactive))),
  route(calls.listMasterAccounts, (ctx) => listMasterAccounts(ctx)),
  route(calls.chartOfAccounts, (ctx, { query }) => chartOfAccounts(ctx, isTrue(query.inactive))),
  route(calls.setupAccount, (ctx, { body }) => setupAccount(ctx, body)),
  route(calls.listAccountCategories, (ctx, { query }) => listRecords(ctx, accountCategories, isTrue(query.inactive))),
  route(calls.createAccountCategory, (ctx, { body }) => saveRecord(ctx, accountCategories, body)),
  route(calls.updateAccountCategory, (ctx, { params, body }) =>
    updateRecord(ctx, accountCategories, { ...body, id: params.id }),
  ),
  route(calls.deleteAccountCategory, (ctx, { params }) => removeRecord(ctx, accountCategories, params.id)),
  route(calls.listProfitCenters, (ctx, { query }) => listRecords(ctx, profitCenters, isTrue(query.inactive))),
  route(calls.createProfitCenter, (ctx, { body }) => saveRecord(ctx, profitCenters, body)),
  route(calls.updateProfitCenter, (ctx, { body }) => updateRecord(ctx, profitCenters, body)),
  route(calls.deleteProfitCenter, (ctx, { params }) => removeRecord(ctx, profitCenters, params.profitcenterid)),
  route(calls.listLocations, (ctx, { query }) => listRecords(ctx, locations, isTrue(query.inactive))),
  route(calls.createLocation, (ctx, { body }) => saveRecord(ctx, locations, body)),
  route(calls.updateLocation, (ctx, { body }) => updateRecord(ctx, locations, body)),
  route(calls.deleteLocation, (ctx, { params }) => removeRecord(ctx, locations, params.locationId)),
  route(calls.accountEntries, (ctx, { params, query }) => accountEntries(ctx, params.customerAccountId, query)),
  route(calls.figureEntries, (ctx, { body }) => figureEntries(ctx, body)),
  route(calls.postedItems, (ctx, { body }) => postedItems(ctx, body)),
  route(calls.openItems, (ctx, { body }) => openItems(ctx, body)),
  route(calls.owing, (ctx, { body }) => owing(ctx, body)),
  route(calls.transactionEntries, (ctx, { params }) => transactionEntries(ctx, params.transactionId)),
  route(calls.sourceEntries, (ctx, { params }) => sourceEntries(ctx, { type: params.sourceType, id: params.sourceId })),
  commandRoute(calls.postTransaction, {
    creation: enteredJournal,
    takes: (body) => body.draft !== true,
    save: (ctx, { body }) => postTransaction(ctx, body),
  }),
  route(calls.reverseTransaction, (ctx, { params, body }) => reverseTransaction(ctx, params.transactionId, body)),
  route(calls.listDrafts, (ctx) => listDrafts(ctx)),
  route(budgetCalls.getBudget, (ctx, { query }) => getBudget(ctx, query)),
  route(budgetCalls.saveBudget, (ctx, { body }) => saveBudget(ctx, body)),
  route(closingCalls.closingChecklist, (ctx, { query }) => closingChecklist(ctx, query.date ?? ctx.today)),
  route(closingCalls.getClosingLine, (ctx) => closingLine(ctx)),
  route(closingCalls.getClosingDate, (ctx) => closingDate(ctx)),
  route(closingCalls.setClosingDate, (ctx, { body }) => setClosingDate(ctx, body)),
  route(closingCalls.signOff, (ctx, { body }) => signOff(ctx, body)),
  route(closingCalls.accountSignOffs, (ctx, { params, query }) =>
    accountSignOffs(ctx, params.customerAccountId, query.date ?? ctx.today),
  ),
  route(closingCalls.signOffAccount, (ctx, { body }) => signOffAccount(ctx, body)),
  route(closingCalls.withdrawSignOff, (ctx, { params }) => withdrawSignOff(ctx, params.id)),
  route(closingCalls.exportBooks, (ctx, { query }) =>
    exportFile(ctx, { ...query, format: query.format ?? 'csv', basis: query.basis ?? 'accrual' }),
  ),
  route(closingCalls.exportProof, (ctx) => proofFile(ctx)),
  route(closingCalls.proofKey, (ctx) => proofPublicKey(ctx)),
  route(calls.deleteDraft, (ctx, { params }) => deleteDraft(ctx, params.id)),
];
