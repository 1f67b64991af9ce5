import './lines.css';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
import { TypedTexts } from '../fields/typed.ts';
import { useWide } from '../hooks/media.ts';
import { ICON_SMALL } from '../show/icons.ts';
import { LineCards } from './LineCards.tsx';
import { LineRows } from './LineRows.tsx';
import type { LineTableProps } from './lineColumns.ts';
import { useLineWork } from './useLineWork.ts';

/**
 * The lines of an invoice or entry. From 1224 px they are entered in the table itself: committed lines are text, the
 * one in work holds fields with Cancel and Commit beneath; Tab in its last field adds a line, Escape leaves it,
 * Ctrl+Enter commits it and saves. Below that each line is a card and is entered in a sheet. Errors clear by the
 * names of the properties that change: give a column the id of the property it edits.
 */
export function LineTable<Line extends object>(props: LineTableProps<Line>) {
  const wide = useWide();
  const place = useRef<HTMLDivElement>(null);
  const work = useLineWork(props, place);
  const Lines = wide ? LineRows<Line> : LineCards<Line>;
  // Texts of the line in work; another line begins with none.
  const inWork = work.work === undefined ? undefined : props.lineId(work.work.line);
  const typed = useMemo(() => (inWork === undefined ? undefined : new Map<string, string>()), [inWork]);
  return (
    <div ref={place}>
      <TypedTexts value={typed}>
        <Lines {...props} work={work} />
      </TypedTexts>
      {props.readOnly !== true && (
        <Button
          variant="subtle"
          className="ek-btn-link ek-lines-add"
          leftSection={<IconPlus {...ICON_SMALL} />}
          onClick={work.add}
        >
          {props.addLabel}
        </Button>
      )}
    </div>
  );
}
