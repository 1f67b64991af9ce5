import './lines.css';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
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
  const work = useLineWork(props);
  const Lines = wide ? LineRows<Line> : LineCards<Line>;
  return (
    <div>
      <Lines {...props} work={work} />
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
