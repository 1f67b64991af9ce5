import { EXPENSES } from '../screens/expenses/records.ts';
import { VendorInvoices } from '../screens/expenses/VendorInvoices.tsx';
import { VendorPayments } from '../screens/expenses/VendorPayments.tsx';
import { VendorsScreen } from '../screens/vendors/VendorsScreen.tsx';
import { lazyPart } from '../ui/lazy/lazyPart.tsx';

const Entry = lazyPart(async () => (await import('../screens/expenses/ExpenseEntry.tsx')).ExpenseEntry);

/** The vendors screen, with the bill and payment dialogs that open on top of it. */
export function Vendors() {
  return <VendorsScreen documents={{ side: EXPENSES, Entry }} Invoices={VendorInvoices} Payments={VendorPayments} />;
}
