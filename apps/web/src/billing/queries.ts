import { bankingCalls } from '@evenkeel/contract/banking';
import { billingCalls } from '@evenkeel/contract/billing';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import type { IsoDate } from '@evenkeel/core/dates';
import { useRead } from '../api.ts';
import { useAccountChoices } from '../choices/accounts.ts';
import { type Choice, keeping } from '../choices/choice.ts';
import { useCustomerRows } from '../choices/customers.ts';
import { useDimensions } from '../choices/dimensions.ts';
import { useLoadAlert, wholeList } from '../records/reads.ts';

export function useOpenInvoiceList() {
  const read = useRead(billingCalls.listInvoices, { query: {} });
  const error = useLoadAlert(read.error, 'Error Loading Billing Invoices');
  return { rows: wholeList(read.data), error, retry: () => void read.refetch() };
}

/** Invoices dated from `fromDate` to `toDate`; the last window stays while the next is read. */
export function useInvoiceHistory(fromDate: IsoDate, toDate: IsoDate) {
  const read = useRead(billingCalls.invoiceHistory, { body: { fromDate, toDate } }, { keep: true });
  const error = useLoadAlert(read.error, 'Error Loading Billing Invoices');
  return { rows: read.data, error, busy: read.isPlaceholderData, retry: () => void read.refetch() };
}

/** The customer's open invoices in list order; with a payment also those it touched. */
export function useCustomerOpenInvoices(customerId: number | null, paymentId: number) {
  const isNew = paymentId === 0;
  const fresh = useRead(
    billingCalls.openInvoices,
    { params: { customerId: customerId ?? 0 } },
    { enabled: customerId !== null && isNew },
  );
  const edited = useRead(
    billingCalls.openInvoicesForPayment,
    { params: { customerId: customerId ?? 0, paymentId } },
    { enabled: customerId !== null && !isNew },
  );
  const read = isNew ? fresh : edited;
  const error = useLoadAlert(read.error, 'Error Loading Billing Invoices');
  return { open: read.data, error, retry: () => void read.refetch() };
}

/** Active customers, and the one that was deactivated since and stays on what was saved for it. */
export function useCustomerOptions(current?: Choice) {
  const options = (useCustomerRows() ?? []).map(({ id, displayname, emailAddress, primaryContactPhone }) => ({
    id,
    label: displayname,
    detail: emailAddress === '' ? primaryContactPhone : emailAddress,
  }));
  return keeping(options, current);
}

/** What the line table picks from. */
export function useLineChoices() {
  const dimensions = useDimensions();
  const products = useRead(catalogueCalls.listProductsAndPackages, {});
  const accounts = useAccountChoices();
  useLoadAlert(products.error, 'Error Loading Items');
  return {
    ...dimensions,
    ...accounts,
    products: (products.data ?? []).filter((item) => item.isProduct),
  };
}
export type LineChoices = ReturnType<typeof useLineChoices>;

/** Where tax comes from: the scenarios, and what the list of customers tells those who bill of the customer's own. */
export function useTaxSources(customerId: number | null) {
  const customer = useCustomerRows()?.find((row) => row.id === customerId);
  const scenarios = useRead(settingsCalls.listSalesTax, {});
  useLoadAlert(scenarios.error, 'Error Loading Sales Tax Scenario');
  return { scenarios: scenarios.data, customer };
}

export function useBillingStatuses() {
  const read = useRead(billingCalls.listStatuses, {});
  return (read.data ?? [])
    .toSorted((a, b) => a.displayOrder - b.displayOrder)
    .map(({ id, displayName }) => ({ id, label: displayName }));
}

/** Payment types, and where money can be deposited: banking accounts first, then the payment accounts. */
export function usePaymentChoices() {
  const types = useRead(bankingCalls.listPaymentTypes, {});
  const banks = useRead(bankingCalls.listBankingAccounts, {});
  const accounts = useRead(ledgerCalls.listPaymentAccounts, {});
  useLoadAlert(types.error, 'Error Loading PaymentTypes');
  useLoadAlert(accounts.error, 'Error Loading Payment Accounts');
  useLoadAlert(banks.error, 'Error Loading Accounts');
  return { types: types.data ?? [], banks: banks.data ?? [], accounts: accounts.data ?? [] };
}
export type PaymentChoices = ReturnType<typeof usePaymentChoices>;
