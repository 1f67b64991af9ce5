import { ledgerCalls as calls } from '@evenkeel/contract/ledger';
import { queuedRoute, type Route, route } from '../http/route.ts';
import { setupAccount } from './account-setup.ts';
import {
  chartOfAccounts,
  listAccountCategories,
  listAccounts,
  listLocations,
  listMasterAccounts,
  listProfitCenters,
} from './accounts.ts';
import { deleteDraft, listDrafts } from './journal-draft.ts';
import { postTransaction, reverseTransaction } from './journal-entry.ts';
import { journalCreation } from './journal-posting.ts';
import { accountEntries } from './register.ts';
import { transactionEntries } from './transactions.ts';

export const ledgerRoutes: Route[] = [
  route(calls.listAccounts, (ctx) => listAccounts(ctx, 'active')),
  route(calls.listPaymentAccounts, (ctx) => listAccounts(ctx, 'payment')),
  route(calls.listRevenueAccounts, (ctx) => listAccounts(ctx, 'revenue')),
  route(calls.listMasterAccounts, (ctx) => listMasterAccounts(ctx)),
  route(calls.chartOfAccounts, (ctx, { query }) =>
    chartOfAccounts(ctx, query.inactive === 'true' || query.inactive === '1'),
  ),
  route(calls.setupAccount, (ctx, { body }) => setupAccount(ctx, body)),
  route(calls.listAccountCategories, (ctx) => listAccountCategories(ctx)),
  route(calls.listProfitCenters, (ctx) => listProfitCenters(ctx)),
  route(calls.listLocations, (ctx) => listLocations(ctx)),
  route(calls.accountEntries, (ctx, { params, query }) => accountEntries(ctx, params.customerAccountId, query)),
  route(calls.transactionEntries, (ctx, { params }) => transactionEntries(ctx, params.transactionId)),
  queuedRoute(calls.postTransaction, journalCreation, {
    takes: (body) => body.draft !== true && (body.transactionID ?? 0) <= 0,
    handler: (ctx, { body }) => postTransaction(ctx, body),
  }),
  route(calls.reverseTransaction, (ctx, { params, body }) =>
    reverseTransaction(ctx, params.transactionId, body.postingDate),
  ),
  route(calls.listDrafts, (ctx) => listDrafts(ctx)),
  route(calls.deleteDraft, (ctx, { params }) => deleteDraft(ctx, params.id)),
];
