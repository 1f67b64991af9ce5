import { formCalls } from '@evenkeel/contract/forms1099';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { copyEnd } from '@evenkeel/core/taxes/copies';
import { useState } from 'react';
import { type Ask, ask, messageOf, send, useStale } from '../../client/api.ts';
import { useManages } from '../../records/active.tsx';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { useOnce } from '../../ui/hooks/once.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import type { BarAction } from '../../ui/overlay/ActionBar.tsx';
import { counted } from '../../ui/show/words.ts';
import type { FormRow } from './forms1099.ts';

/** The electronic delivery of recipients' copies: its wording, and its actions. */

/** The maximum number of vendors or copies in one request. */
export const MOST_COPIES = 100;

/** Returns the state of a vendor's consent in words. */
export function consentWords({ consent: { state, date }, hasEmail }: FormRow): string {
  const day = date === null ? '' : formatDate(date);
  switch (state) {
    case 'none':
      return hasEmail ? 'No consent' : 'No email address';
    case 'requested':
      return `Requested on ${day}`;
    case 'consented':
      return `Consented on ${day}`;
    case 'withdrawn':
      return `Withdrawn on ${day}`;
  }
}

/** Returns the state of the copy of the last filed form in words. */
export function copyWords({ copy, consent, filed }: FormRow): string {
  if (copy === null) {
    if (filed === null) return 'Not filed';
    return consent.state === 'consented' ? 'Not sent' : 'Print and mail';
  }
  switch (copy.state) {
    case 'queued':
      return 'Sending';
    case 'sent': {
      const opened = copy.openedOn === null ? 'not opened' : `opened on ${formatDate(copy.openedOn)}`;
      return `Sent on ${formatDate(copy.sentOn)}, ${opened}`;
    }
    case 'refused':
      return 'Undelivered. Print and mail';
    case 'unsure':
      return 'May be undelivered';
  }
}

/** Returns whether a vendor can be asked for consent. */
export const canAsk = ({ hasEmail, consent }: FormRow): boolean => hasEmail && consent.state !== 'consented';

/** Returns whether the copy of the last filed form can be sent, for the first time or again. */
export const canSend = ({ filed, consent, hasEmail, copy }: FormRow, year: number, today: IsoDate): boolean =>
  hasEmail &&
  filed !== null &&
  consent.state === 'consented' &&
  (copy?.endsOn ?? copyEnd({ year, version: filed.version }, today)) >= today;

export interface Delivery {
  today: IsoDate;
  isBusy: boolean;
  request: (rows: readonly FormRow[]) => void;
  send: (rows: readonly FormRow[]) => void;
  withdraw: (row: FormRow) => void;
  revoke: (row: FormRow) => void;
}

/** Returns the actions of the electronic delivery. A press while an action is in progress does nothing. */
export function useDelivery(): Delivery {
  const alerts = useAlerts();
  const stale = useStale();
  const once = useOnce();
  const [isBusy, setBusy] = useState(false);
  const run = <Reply>(asked: Ask<Reply>, done: string) =>
    void once.run(async () => {
      setBusy(true);
      try {
        await send(asked);
      } catch (error) {
        alerts.error(messageOf(error));
        return undefined;
      } finally {
        setBusy(false);
        stale();
      }
      alerts.success(done);
      return true;
    });
  const of = ({ vendorId }: FormRow) => ({ params: { id: vendorId } });
  return {
    today: useToday(),
    isBusy,
    request: (rows) => {
      const vendors = rows.map(({ vendorId, consent: { requests } }) => ({ vendorId, requests }));
      const words = counted(rows.length, { one: 'request', many: 'requests' });
      run(ask(formCalls.requestConsent, { body: { vendors } }), `${words} for consent sent`);
    },
    send: (rows) => {
      const forms = rows.flatMap(({ filed, copy }) =>
        filed === null ? [] : [{ id: filed.id, sent: copy?.sent ?? 0 }],
      );
      const words = counted(forms.length, { one: 'copy', many: 'copies' });
      run(ask(formCalls.sendCopies, { body: { forms } }), `${words} sent`);
    },
    withdraw: (row) =>
      run(
        ask(formCalls.withdrawConsent, of(row)),
        row.hasEmail
          ? `Withdrawal recorded. ${row.vendorName} gets a confirmation by email.`
          : `Withdrawal recorded. Mail a confirmation to ${row.vendorName}.`,
      ),
    revoke: (row) => run(ask(formCalls.revokeFormLinks, of(row)), 'Private links revoked'),
  };
}

/** Returns the actions for one vendor's copy. They are in the menu of the panel. */
export function useDeliveryActions(row: FormRow, year: number): BarAction[] {
  const delivery = useDelivery();
  const manages = useManages('Manage Accounting');
  if (!manages) return [];
  const { consent, copy, vendorName } = row;
  const rare = { isRare: true, busy: delivery.isBusy };
  const again = consent.state === 'none' ? 'Request Consent' : 'Request Consent Again';
  return [
    ...(canAsk(row) ? [{ ...rare, label: again, onClick: () => delivery.request([row]) }] : []),
    ...(canSend(row, year, delivery.today)
      ? [{ ...rare, label: copy === null ? 'Send Copy' : 'Send Copy Again', onClick: () => delivery.send([row]) }]
      : []),
    ...(consent.state === 'consented'
      ? [
          {
            ...rare,
            label: 'Record Withdrawal',
            onClick: () => delivery.withdraw(row),
            question: `Record that ${vendorName} withdrew the consent? Print and mail later copies.`,
          },
        ]
      : []),
    ...(consent.state === 'none'
      ? []
      : [
          {
            ...rare,
            label: 'Revoke Private Links',
            onClick: () => delivery.revoke(row),
            question: `Revoke the private links of ${vendorName}? The links stop working.`,
          },
        ]),
  ];
}
