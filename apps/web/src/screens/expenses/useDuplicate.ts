import { expenseCalls } from '@evenkeel/contract/expenses';
import { formatDate } from '@evenkeel/core/dates';
import { formatUsd } from '@evenkeel/core/money';
import { ask, useReadNow } from '../../client/api.ts';
import { useWarning, type Warning } from '../../records/warnFirst.ts';
import type { BillForm } from './billForm.ts';

const keyOf = ({ vendorId, invoiceNumber }: BillForm): string | undefined =>
  vendorId === null || invoiceNumber.trim() === '' ? undefined : `${vendorId} ${invoiceNumber.trim()}`;

/** Warns before saving a bill if another bill has the same vendor and number. */
export function useDuplicate(id: number): Warning<BillForm> {
  const readNow = useReadNow();
  return useWarning(keyOf, async (form) => {
    const number = form.invoiceNumber.trim();
    const asked = { params: { vendorId: form.vendorId ?? 0 }, query: { invoiceNumber: number } };
    const bills = await readNow(ask(expenseCalls.vendorInvoices, asked));
    const other = bills.find((bill) => bill.id !== id && !bill.voided);
    if (other === undefined) return undefined;
    const [date, amount] = [formatDate(other.invoiceDate), formatUsd(other.invoiceAmount)];
    return `This vendor already has bill ${number}, dated ${date}, for ${amount}. Save again to keep both.`;
  });
}
