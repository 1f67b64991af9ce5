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
 * The lines of an invoice or entry. From 1224 px, they are edited in the table: committed lines are text, and the
 * edited line has fields with Cancel and Commit below. Tab in the line's last field adds a line, Escape leaves the
 * line, and Ctrl+Enter commits it and saves. Below 1224 px, each line is a card and is edited in a sheet. Errors are
 * cleared by the name of the changed property, so give a column the ID of the property that it edits.
 */
export function LineTable<Line extends object>(props: LineTableProps<Line>) {
  const wide = useWide();
  const place = useRef<HTMLDivElement>(null);
  const work = useLineWork(props, place);
  const Lines = wide ? LineRows<Line> : LineCards<Line>;
  // The input typed into the edited line. Cleared when another line is edited.
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
