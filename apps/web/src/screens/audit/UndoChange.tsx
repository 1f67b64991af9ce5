import { auditCalls, type AuditEntry } from '@evenkeel/contract/audit';
import type { Rehearsal } from '@evenkeel/contract/rehearsal';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { ask, send, useStale } from '../../client/api.ts';
import { Trouble } from '../../parts/documents/panel/useDeletion.tsx';
import { EFFECTS, EffectsDetails } from '../../records/Effects.tsx';
import { useFormSave } from '../../records/formSave.ts';
import { rehearsed } from '../../records/rehearsal.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import type { SendPlace } from '../../ui/hooks/draft.ts';
import { singly, useOnce } from '../../ui/hooks/once.ts';
import { recordName } from './audit.ts';

const NOTHING_WRONG = {};

/** Undoes a change after a preview of the entries that are posted and the balances that change. */
export function UndoChange({ entry, onDone }: { entry: AuditEntry; onDone: () => void }) {
  const alerts = useAlerts();
  const stale = useStale();
  const save = useFormSave(NOTHING_WRONG);
  const once = useOnce();
  const [reason, setReason] = useState('');
  const [effects, setEffects] = useState<Rehearsal>();
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const wasShown = useRef(false);
  const isShown = effects !== undefined;
  // The pressed button is replaced, so the focus moves to the preview and back.
  useEffect(() => {
    if (isShown) {
      heading.current?.focus();
      heading.current?.scrollIntoView({ block: 'start' });
    } else if (wasShown.current) opener.current?.focus();
    wasShown.current = isShown;
  }, [isShown]);
  const undo = (place?: SendPlace) =>
    send(ask(auditCalls.undoChange, { params: { id: entry.id }, body: { closingOverrideReason: reason } }), place);
  const preview = async () => setEffects(await save.attempt(() => rehearsed(undo)));
  const confirm = async () => {
    const done = await once.run(() =>
      save.attempt(async () => {
        try {
          return await undo();
        } finally {
          // The data is also loaded again if no response arrives, because the change may have been undone.
          stale();
        }
      }),
    );
    if (done === undefined) return;
    alerts.success(`The change to ${recordName(entry)} was undone`);
    onDone();
  };
  return (
    <section className="ek-stack" aria-label="Undo">
      {effects !== undefined && (
        <>
          <h3 ref={heading} tabIndex={-1}>
            {EFFECTS}
          </h3>
          <p className="ek-second">This is a preview. The change isn’t undone yet.</p>
          <EffectsDetails rehearsal={effects} />
        </>
      )}
      <Trouble save={save} reason={reason} onReason={setReason} />
      <div className="au-actions">
        {effects === undefined ? (
          <Button ref={opener} variant="default" loading={save.busy} onClick={() => void preview()}>
            Undo This Change...
          </Button>
        ) : (
          <>
            <Button variant="default" disabled={save.busy} onClick={singly(() => setEffects(undefined))}>
              Cancel
            </Button>
            <Button loading={save.busy} onClick={() => void confirm()}>
              Undo This Change
            </Button>
          </>
        )}
      </div>
    </section>
  );
}
