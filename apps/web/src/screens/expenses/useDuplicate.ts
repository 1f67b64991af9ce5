import { expenseCalls } from '@evenkeel/contract/expenses';
import { formatDate } from '@evenkeel/core/dates';
import { formatUsd } from '@evenkeel/core/money';
import { useState } from 'react';
import { ask, useReadNow } from '../../client/api.ts';
import type { BillForm } from './billForm.ts';

export interface Duplicate {
  /** Asked before saving: false when the person is to be told first. After one warning the next save goes through. */
  ask: (form: BillForm) => Promise<boolean>;
  /** The warning about a typed number; undefined without one. */
  warningOf: (form: BillForm) => string | undefined;
}

const keyOf = ({ vendorId, invoiceNumber }: BillForm): string => `${vendorId ?? 0} ${invoiceNumber.trim()}`;

/** A second bill with the same vendor and number warns before saving. */
export function useDuplicate(id: number): Duplicate {
  const readNow = useReadNow();
  const [told, setTold] = useState<{ key: string; words: string }>();
  return {
    ask: async (form) => {
      const { vendorId } = form;
      const number = form.invoiceNumber.trim();
      if (vendorId === null || number === '' || told?.key === keyOf(form)) return true;
      const query = { invoiceNumber: number };
      const bills = await readNow(ask(expenseCalls.vendorInvoices, { params: { vendorId }, query }));
      const other = bills.find((bill) => bill.id !== id && !bill.voided);
      if (other === undefined) return true;
      const [date, amount] = [formatDate(other.invoiceDate), formatUsd(other.invoiceAmount)];
      const words = `This vendor already has invoice ${number}, dated ${date}, for ${amount}. Save again to keep both.`;
      setTold({ key: keyOf(form), words });
      return false;
    },
    warningOf: (form) => (told?.key === keyOf(form) ? told.words : undefined),
  };
}
