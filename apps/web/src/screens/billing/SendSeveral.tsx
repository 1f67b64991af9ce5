import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { sendingFault } from '@evenkeel/core/invoice';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { MOST_SENT, SendList } from '../../parts/sending/SendList.tsx';
import { counted } from '../../ui/show/words.ts';
import { INVOICES } from './records.ts';

const SAYS =
  'Each goes to its customer’s e-mail address, in the words of Settings. One that was sent before is left out.';

interface Chosen {
  rows: readonly BillingInvoiceRow[];
  clear: () => void;
}

/** Sends the invoices that are selected in their list, each by itself: a button for the bar, and the dialog. */
export function useSendSeveral() {
  const [chosen, setChosen] = useState<Chosen>();
  const button = (selected: readonly BillingInvoiceRow[], clear: () => void) => {
    const rows = selected.filter(({ arBillingStatus }) => sendingFault(arBillingStatus) === '');
    return (
      <Button
        variant="default"
        disabled={rows.length === 0 || rows.length > MOST_SENT}
        title={rows.length > MOST_SENT ? `At most ${MOST_SENT} invoices at once` : undefined}
        onClick={() => setChosen({ rows, clear })}
      >
        Send {counted(rows.length, INVOICES.words)}
      </Button>
    );
  };
  const dialog = chosen && <SendSeveral {...chosen} onClose={() => setChosen(undefined)} />;
  return { button, dialog };
}

function SendSeveral({ rows, clear, onClose }: Chosen & { onClose: () => void }) {
  return (
    <SendList
      rows={rows.map(({ id, invoiceNumber, customerDisplayName }) => ({
        id,
        title: (
          <>
            {invoiceNumber} <span className="ek-second">{customerDisplayName}</span>
          </>
        ),
        body: { invoiceId: id },
      }))}
      words={INVOICES.words}
      label="Invoices"
      says={SAYS}
      onSent={clear}
      onClose={onClose}
    />
  );
}
