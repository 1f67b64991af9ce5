import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { sendingFault } from '@evenkeel/core/documents/invoice';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { titled } from '../../../parts/documents/side.ts';
import { MOST_SENT, SendList } from '../../../parts/sending/SendList.tsx';
import { counted, type Words } from '../../../ui/show/words.ts';
import { INVOICES } from '../records.ts';

const SAYS =
  "Each document goes to the customer's email address, with the text from Settings. Documents " +
  'that you already sent are skipped.';

/** A document type that can be sent: its name, and the name of its ID in the request. */
export interface SentKind {
  words: Words;
  key: 'invoiceId' | 'estimateId' | 'creditId';
  faultOf: (status: number) => string;
}

export const SENT_INVOICES: SentKind = { words: INVOICES.words, key: 'invoiceId', faultOf: sendingFault };

interface Chosen {
  rows: readonly BillingInvoiceRow[];
  clear: () => void;
}

/** Sends the documents selected in a list, each in its own email. Returns the button and the dialog. */
export function useSendSeveral(kind: SentKind) {
  const [chosen, setChosen] = useState<Chosen>();
  const button = (selected: readonly BillingInvoiceRow[], clear: () => void) => {
    const rows = selected.filter(({ arBillingStatus }) => kind.faultOf(arBillingStatus) === '');
    return (
      <Button
        variant="default"
        disabled={rows.length === 0 || rows.length > MOST_SENT}
        title={rows.length > MOST_SENT ? `Select at most ${MOST_SENT} ${kind.words.many} at a time` : undefined}
        onClick={() => setChosen({ rows, clear })}
      >
        Send {counted(rows.length, kind.words)}
      </Button>
    );
  };
  const dialog = chosen && <SendSeveral {...chosen} kind={kind} onClose={() => setChosen(undefined)} />;
  return { button, dialog };
}

function SendSeveral({ kind, rows, clear, onClose }: Chosen & { kind: SentKind; onClose: () => void }) {
  const { words, key } = kind;
  return (
    <SendList
      rows={rows.map(({ id, invoiceNumber, customerDisplayName }) => ({
        id,
        title: (
          <>
            {invoiceNumber} <span className="ek-second">{customerDisplayName}</span>
          </>
        ),
        body: { [key]: id },
      }))}
      words={words}
      label={titled(words.many)}
      says={SAYS}
      onSent={clear}
      onClose={onClose}
    />
  );
}
