import type { ComponentType } from 'react';
import { useMay } from '../../../client/session.ts';
import type { DocumentEntryProps } from '../entry/DocumentEntry.tsx';
import type { DocumentPanelProps } from './DocumentPanel.tsx';
import { PaymentDialog } from '../payment/PaymentDialog.tsx';
import { PaymentPanel } from './PaymentPanel.tsx';
import type { DocumentSide } from '../side.ts';
import { type DocumentPlace, payText } from '../useDocumentPlace.ts';

/** Returns the side panel of the open invoice or payment, or undefined if none is open. */
export function panelOf(place: DocumentPlace, side: DocumentSide, Panel: ComponentType<DocumentPanelProps>) {
  const { invoice, payment, edit, copy, openPay } = place;
  const pay = (id: number) => openPay({ kind: 'payment', id });
  if (payment.id !== undefined) {
    return (
      <PaymentPanel
        side={side}
        id={payment.id}
        onClose={payment.close}
        onOpen={pay}
        onRefund={(id, of) => openPay({ kind: 'refund', id, of })}
        {...{ invoice, payment }}
      />
    );
  }
  if (invoice.id === undefined) return undefined;
  return <Panel id={invoice.id} onClose={invoice.close} onOpen={edit.open} onCopy={copy.open} payment={payment} />;
}

export interface DocumentFormsProps<One> {
  side: DocumentSide;
  place: Omit<DocumentPlace, 'invoice' | 'payment' | 'copy' | 'closePanel'> & Partial<Pick<DocumentPlace, 'copy'>>;
  /** The customer or vendor for a new document, if it is known. */
  entityId?: number | undefined;
  Entry: ComponentType<DocumentEntryProps<One>>;
  takeFiles?: DocumentEntryProps<One>['takeFiles'];
  /** Whether documents can be sent. If so, saving from the form can open the email in the document's panel. */
  sends?: boolean;
}

/** The invoice form and the payment dialog, for users with edit permission. Either one can open the other. */
export function DocumentForms<One extends { id: number }>(props: DocumentFormsProps<One>) {
  const { side, place, entityId, Entry, takeFiles, sends = false } = props;
  const { edit, copy, pay, openPay, closePay, backToInvoice } = place;
  const manages = useMay()(side.manage);
  if (!manages) return null;
  const { id = copy?.id } = edit;
  if (id !== undefined) {
    const isCopy = edit.id === undefined;
    return (
      <Entry
        key={isCopy ? `copy ${id}` : id}
        invoiceId={isCopy ? 0 : id}
        copyOf={isCopy ? id : undefined}
        entityId={entityId}
        takeFiles={takeFiles}
        onClose={isCopy ? (copy?.close ?? edit.close) : edit.close}
        onSaved={(one) => place.saved(one.id)}
        onDeleted={place.deleted}
        onPay={(one) => openPay({ kind: 'invoice', id: one.id })}
        onSend={sends ? (one) => place.saved(one.id, true) : undefined}
      />
    );
  }
  if (pay === undefined) return null;
  return (
    <PaymentDialog
      key={payText(pay)}
      side={side}
      pay={pay}
      onClose={closePay}
      onPosted={place.posted}
      onOther={(id) => openPay({ kind: 'payment', id })}
      onBackToInvoice={pay.kind === 'invoice' ? () => backToInvoice(pay.id) : undefined}
    />
  );
}
