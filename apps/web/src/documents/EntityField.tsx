import { capital } from '@evenkeel/core/side';
import { useState } from 'react';
import { useAsk } from '../api.ts';
import { type Choice, keeping } from '../choices/choice.ts';
import { useLoadAlert, wholeList } from '../records/reads.ts';
import type { Bound } from '../records/useRecordForm.ts';
import { useMay } from '../session.ts';
import { Picker } from '../ui/fields/Picker.tsx';
import { NewEntity } from './NewEntity.tsx';
import type { DocumentSide } from './side.ts';

/** Active customers or vendors, and the one that was deactivated since and stays on what was saved for it. */
export function useEntityOptions({ entities }: Pick<DocumentSide, 'entities'>, current?: Choice) {
  const read = useAsk(entities.list());
  useLoadAlert(read.error, entities.loadAll);
  const options = (wholeList(read.data) ?? []).map(({ id, displayname, emailAddress, primaryContactPhone }) => ({
    id,
    label: displayname,
    detail: emailAddress === '' ? primaryContactPhone : emailAddress,
  }));
  return keeping(options, current);
}

export interface EntityFieldProps {
  side: DocumentSide;
  field: Bound<number | null>;
  /** As saved. */
  current: { id: number; name: string } | undefined;
}

/** Customer or Vendor; who is in no option can be added on the spot. */
export function EntityField({ side, field, current }: EntityFieldProps) {
  const mayAdd = useMay()(side.entities.manage);
  const [adding, setAdding] = useState<string>();
  const [added, setAdded] = useState<Choice>();
  const options = useEntityOptions(side, added ?? (current && { id: current.id, label: current.name }));
  return (
    <>
      <Picker
        {...field}
        options={options}
        label={capital(side.core.words.entity)}
        span={4}
        autoFocus={field.value === null}
        onCreate={mayAdd ? setAdding : undefined}
      />
      {adding !== undefined && (
        <NewEntity
          entities={side.entities}
          name={adding}
          onClose={() => setAdding(undefined)}
          onCreated={({ id, displayname }) => {
            setAdding(undefined);
            setAdded({ id, label: displayname });
            field.onChange(id);
          }}
        />
      )}
    </>
  );
}
