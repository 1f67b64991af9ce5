import { IconChevronRight } from '@tabler/icons-react';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { reportGroups } from '@evenkeel/core/reports/kinds';

/** The reports in their groups, the first one open; a click runs one. */
export function ReportAccordion({ onRun }: { onRun: (reportId: number) => void }) {
  return (
    <div className="rp-groups">
      {reportGroups.map((group, index) => (
        <details key={group.title} open={index === 0}>
          <summary>
            <IconChevronRight {...ICON_SMALL} />
            {group.title}
          </summary>
          <ul>
            {group.reports.map((report) => (
              <li key={report.id}>
                <button type="button" onClick={() => onRun(report.id)}>
                  {report.title}
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  );
}
