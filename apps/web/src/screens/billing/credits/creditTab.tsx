import type { BillingCredit, BillingCreditRow } from '@evenkeel/contract/credits';
import { sendingFault } from '@evenkeel/core/documents/invoice';
import { documentKinds } from '@evenkeel/core/documents/side';
import { ApplyCreditById } from '../../../parts/documents/payment/ApplyCredit.tsx';
import { useOpenRecord } from '../../../records/openRecord.ts';
import { documentPart, type FormEnds } from '../documentTab.tsx';
import { BILLING } from '../records.ts';
import type { SentKind } from '../sending/SendSeveral.tsx';
import { CreditEntry } from './CreditEntry.tsx';
import { CreditInvoice } from './CreditInvoice.tsx';
import { CreditPanel } from './CreditPanel.tsx';
import { CREDITS } from './records.ts';

/** Credit memos as documents to send. */
export const SENT_CREDITS: SentKind = {
  kind: documentKinds.creditmemo,
  words: CREDITS.words,
  faultOf: (status) => sendingFault(status, CREDITS.words.one),
};

/** The panel and the forms of credit memos. The Credits tab lists them. */
export const CREDIT_PART = documentPart<BillingCreditRow, BillingCredit>({
  kind: documentKinds.creditmemo,
  value: 'credits',
  records: CREDITS,
  panel: CreditPanel,
  entry: CreditEntry,
  edit: 'creditmemo',
  forms: { Forms: OtherForms, closes: ['creditof'] },
});

/** The forms that credit an invoice (`creditof` in the URL) and apply a credit memo (`apply`). */
function OtherForms({ onSaved, onDeleted }: FormEnds) {
  const of = useOpenRecord('creditof', { hasNew: false });
  const apply = useOpenRecord('apply', { hasNew: false });
  const ends = { onSaved, onDeleted };
  return (
    <>
      {of.id !== undefined && <CreditInvoice key={of.id} {...ends} invoiceId={of.id} onClose={of.close} />}
      {apply.id !== undefined && (
        <ApplyCreditById key={apply.id} side={BILLING} records={CREDITS} id={apply.id} onClose={apply.close} />
      )}
    </>
  );
}
