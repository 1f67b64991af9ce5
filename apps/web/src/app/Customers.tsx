import { BILLING } from '../screens/billing/records.ts';
import { CustomersScreen } from '../screens/customers/CustomersScreen.tsx';
import { lazyPart } from '../ui/lazy/lazyPart.tsx';

const Entry = lazyPart(async () => (await import('../screens/billing/invoices/BillingEntry.tsx')).BillingEntry);

/** The customers screen, with the invoice and payment dialogs that open on top of it. */
export function Customers() {
  return <CustomersScreen documents={{ side: BILLING, Entry }} />;
}
