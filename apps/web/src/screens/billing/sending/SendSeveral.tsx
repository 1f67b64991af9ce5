import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { sendingFault } from '@evenkeel/core/documents/invoice';
import { documentKinds } from '@evenkeel/core/documents/side';
import type { DocumentMail } from '@evenkeel/core/kinds/kind';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { titled } from '../../../parts/documents/side.ts';
import { MOST_SENT, SendList } from '../../../parts/sending/SendList.tsx';
import { counted, type Words } from '../../../ui/show/words.ts';
import { INVOICES } from '../records.ts';

const SAYS =
  "Each document goes to the customer's email address, with the text from Settings. Documents " +
  'that you already sent are skipped.';

/** A kind of document that can be sent. */
export interface SentKind {
  kind: { mail: DocumentMail };
  words: Words;
  faultOf: (status: number) => string;
  /** The explanation in the dialog if the emails are reminders. */
  reminder?: string;
}

export const SENT_INVOICES: SentKind = {
  kind: documentKinds.invoice,
  words: INVOICES.words,
  faultOf: sendingFault,
};

/** Reminders about overdue invoices. */
export const REMINDERS: SentKind = {
  ...SENT_INVOICES,
  words: { one: 'reminder', many: 'reminders' },
  reminder:
    "Each reminder goes to the customer's email address, with the text from Settings. Invoices with a reminder from " +
    'today are skipped.',
};

/** The document fields that are required for sending. */
type SentRow = Pick<
  BillingInvoiceRow,
  'id' | 'invoiceNumber' | 'customerDisplayName' | 'arBillingStatus' | 'daysOverdue'
>;

interface Chosen {
  rows: readonly SentRow[];
  clear: () => void;
}

/** Sends the documents that are selected in a list, each in its own email. Returns the button and the dialog. */
export function useSendSeveral(kind: SentKind) {
  const [chosen, setChosen] = useState<Chosen>();
  const button = (selected: readonly SentRow[], clear: () => void) => {
    const rows = selected.filter((row) => {
      return kind.faultOf(row.arBillingStatus) === '' && (kind.reminder === undefined || row.daysOverdue > 0);
    });
    // No reminder can be sent for invoices that are not due, so the button would only take up space.
    if (kind.reminder !== undefined && rows.length === 0) return null;
    return (
      <Button
        variant="default"
        disabled={rows.length === 0 || rows.length > MOST_SENT}
        title={rows.length > MOST_SENT ? `Select at most ${MOST_SENT} ${kind.words.many} at a time` : undefined}
        onClick={() => setChosen({ rows, clear })}
      >
        Send {titled(counted(rows.length, kind.words))}
      </Button>
    );
  };
  const dialog = chosen && <SendSeveral {...chosen} kind={kind} onClose={() => setChosen(undefined)} />;
  return { button, dialog };
}

function SendSeveral({ kind, rows, clear, onClose }: Chosen & { kind: SentKind; onClose: () => void }) {
  const { words } = kind;
  return (
    <SendList
      rows={rows.map(({ id, invoiceNumber, customerDisplayName }) => ({
        id,
        title: (
          <>
            {invoiceNumber} <span className="ek-second">{customerDisplayName}</span>
          </>
        ),
        body: { [kind.kind.mail.id]: id, ...(kind.reminder !== undefined && { isReminder: true }) },
      }))}
      words={words}
      label={titled(words.many)}
      says={kind.reminder ?? SAYS}
      onSent={clear}
      onClose={onClose}
    />
  );
}
