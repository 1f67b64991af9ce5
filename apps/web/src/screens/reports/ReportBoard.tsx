import { reportGroups, type ReportKind } from '@evenkeel/core/reports/kinds';
import { ActionIcon } from '@mantine/core';
import { IconChevronRight, IconStar, IconStarFilled } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useNarrow } from '../../ui/hooks/media.ts';
import { FilterBox } from '../../ui/page/FilterBox.tsx';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import { useStars } from './useStars.ts';

const ALL = reportGroups.flatMap(({ reports }) => reports);

/** Returns whether a report's title or description contains every word. */
function matches({ title, says }: ReportKind, text: string): boolean {
  const words = `${title} ${says}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}

/**
 * All reports with descriptions, starred reports first. Selecting a report runs it. On a narrow screen, the groups are
 * an accordion that starts with the first group open.
 */
export function ReportBoard({ onRun }: { onRun: (reportId: number) => void }) {
  const [text, setText] = useState('');
  const { starred, star } = useStars();
  const narrow = useNarrow();
  const own = useId();
  const found = (reports: readonly ReportKind[]) => reports.filter((report) => matches(report, text));
  const groups = reportGroups.flatMap(({ title, reports }) => {
    const shown = found(reports);
    return shown.length === 0 ? [] : [{ title, shown }];
  });
  const favorites = found(ALL.filter(({ id }) => starred.has(id)));
  const placeOf = (id: number) => `${own}-${id}`;
  const common = { starred, onRun };
  return (
    <div className="rp-board">
      <FilterBox placeholder="Find a report..." value={text} onChange={setText} />
      {favorites.length > 0 && (
        <section className="rp-favorites" aria-label="Favorites">
          <h3>Favorites</h3>
          <Reports
            {...common}
            reports={favorites}
            onStar={(id, isStarred) => {
              star(id, isStarred);
              // The row is removed from its position, so the focus would otherwise be lost.
              document.getElementById(placeOf(id))?.focus();
            }}
          />
        </section>
      )}
      <div className="rp-groups">
        {groups.map(({ title, shown }, at) => (
          <details key={`${title} ${text}`} open={!narrow || text !== '' || at === 0}>
            <summary>
              <IconChevronRight {...ICON_SMALL} />
              {title}
            </summary>
            <Reports {...common} reports={shown} onStar={star} placeOf={placeOf} />
          </details>
        ))}
      </div>
      {groups.length === 0 && <p className="ek-second">No reports match your search.</p>}
    </div>
  );
}

interface ReportsProps {
  reports: readonly ReportKind[];
  starred: ReadonlySet<number>;
  onRun: (reportId: number) => void;
  onStar: (reportId: number, isStarred: boolean) => void;
  /** Returns the element ID of a report's star. */
  placeOf?: (reportId: number) => string;
}

function Reports({ reports, starred, onRun, onStar, placeOf }: ReportsProps) {
  const own = useId();
  return (
    <ul>
      {reports.map(({ id, title, says }) => {
        const isStarred = starred.has(id);
        return (
          <li key={id} className="rp-report">
            <div>
              <button type="button" aria-describedby={`${own}-${id}`} onClick={() => onRun(id)}>
                {title}
              </button>
              <p id={`${own}-${id}`}>{says}</p>
            </div>
            <ActionIcon
              className="rp-star"
              id={placeOf?.(id)}
              aria-label={`Favorite: ${title}`}
              aria-pressed={isStarred}
              onClick={() => onStar(id, !isStarred)}
            >
              {isStarred ? <IconStarFilled size={ICON.size} aria-hidden /> : <IconStar {...ICON} />}
            </ActionIcon>
          </li>
        );
      })}
    </ul>
  );
}
