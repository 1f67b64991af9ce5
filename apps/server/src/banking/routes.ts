import { bankingCalls as calls } from '@evenkeel/contract/banking';
import { type Route, route } from '../http/route.ts';
import { availableGlAccounts, getBankingAccount, listBankingAccounts, listPaymentTypes } from './accounts.ts';

export const bankingRoutes: Route[] = [
  route(calls.listBankingAccounts, (ctx) => listBankingAccounts(ctx)),
  route(calls.getBankingAccount, (ctx, { params }) => getBankingAccount(ctx, params.id)),
  route(calls.availableGlAccounts, (ctx, { params }) => availableGlAccounts(ctx, params.accountIdInUse)),
  route(calls.listPaymentTypes, (ctx) => listPaymentTypes(ctx)),
];
