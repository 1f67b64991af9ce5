import { bankingCalls } from '@evenkeel/contract/banking';
import { billingCalls } from '@evenkeel/contract/billing';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { entityCalls } from '@evenkeel/contract/entities';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { useRead } from '../api.ts';
import { totalOf, useLoadAlert, wholeList } from '../records/reads.ts';
import { useMay } from '../session.ts';
import { cashOfBanking, cashOfChart } from './figures.ts';

/** Open invoices and drafts: the same answer as the billing list shows. */
export function useOpenInvoices() {
  const read = useRead(billingCalls.listInvoices, { query: {} });
  const error = useLoadAlert(read.error, 'Error Loading Billing Invoices');
  return { rows: wholeList(read.data), error, retry: () => void read.refetch() };
}

/** The latest invoices of any state, newest first, and how many there are in all. */
export function useRecentInvoices(limit: number) {
  const query = { status: 'all', limit, sort: 'invoiceDate', desc: 'true' } as const;
  const read = useRead(billingCalls.listInvoices, { query });
  const error = useLoadAlert(read.error, 'Error Loading Billing Invoices');
  return { rows: wholeList(read.data), total: totalOf(read.data), error, retry: () => void read.refetch() };
}

/** Cash from the chart, else from the banking accounts, as the session permits; undefined while it loads. */
export function useCash() {
  const seesChart = useMay()('View Accounting');
  const chart = useRead(ledgerCalls.chartOfAccounts, { query: {} }, { enabled: seesChart });
  const banking = useRead(bankingCalls.listBankingAccounts, {}, { enabled: !seesChart });
  const read = seesChart ? chart : banking;
  const error = useLoadAlert(read.error, 'Error Loading Accounts');
  const cash = seesChart ? chart.data && cashOfChart(chart.data) : banking.data && cashOfBanking(banking.data);
  return { cash, error, retry: () => void read.refetch() };
}

/** Whether there is a customer and a product yet, for the next steps of an empty company. */
export function useBeginnings() {
  const customers = useRead(entityCalls.listCustomers, { query: { limit: 1 } });
  const products = useRead(catalogueCalls.listProducts, { query: { limit: 1 } });
  return {
    hasCustomer: (totalOf(customers.data) ?? 0) > 0,
    hasProduct: (totalOf(products.data) ?? 0) > 0,
  };
}
