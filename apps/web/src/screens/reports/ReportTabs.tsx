import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconChevronDown, IconLayoutGrid, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useNarrow, useWide } from '../../ui/hooks/media.ts';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import { describeAsk, noteOf, type OpenReports, type ReportAsk, shortNoteOf, textOf } from './openReports.ts';
import { reportKind } from '@evenkeel/core/reports/kinds';
import { isKey } from '../../ui/keys/keys.ts';
import { tabByKey } from '../../ui/keys/tabKeys.ts';

export interface ReportTabsProps {
  open: OpenReports;
  onShow: (index: number) => void;
  /** Shows the list of all reports. */
  onBoard: () => void;
  onClose: (index: number) => void;
  onCloseAll: () => void;
}

export const tabId = (index: number) => `report-tab-${index}`;
export const PANE_ID = 'report-pane';

/** A report can be open in two tabs, so the key includes its position. */
const keyOf = (ask: ReportAsk, index: number) => `${index} ${textOf(ask)}`;
const titleOf = (ask: ReportAsk) => reportKind(ask.reportId)?.title ?? '';

/** The open reports as tabs, or as a list on a phone. */
export function ReportTabs(props: ReportTabsProps) {
  const narrow = useNarrow();
  if (props.open.reports.length === 0) return null;
  return narrow ? <TabMenu {...props} /> : <TabBar {...props} />;
}

function TabBar(props: ReportTabsProps) {
  const { open, onShow, onClose, onBoard } = props;
  const { reports, active = 0 } = open;
  const isBoard = open.active === undefined;
  const bar = useRef<HTMLDivElement>(null);
  // If there are too many tabs, they scroll to keep the active one visible.
  useEffect(() => {
    bar.current?.querySelector('.rp-tab[data-on]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = tabByKey(event, active, reports.length);
    if (isKey(event, 'closeTab')) return onClose(active);
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + reports.length) % reports.length;
    onShow(next);
    bar.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus();
  };
  // The tabs are siblings of their close buttons, so the tab list refers to them with aria-owns.
  const owned = reports.map((_, index) => tabId(index)).join(' ');
  return (
    <div className="rp-tabs" ref={bar}>
      <ActionIcon
        className="rp-all"
        aria-label="All Reports"
        title="All Reports"
        aria-current={isBoard ? 'page' : undefined}
        onClick={onBoard}
      >
        <IconLayoutGrid {...ICON} />
      </ActionIcon>
      <div role="tablist" aria-label="Open reports" aria-owns={owned} />
      <div className="rp-tabs-in">
        {reports.map((ask, index) => (
          <div
            key={keyOf(ask, index)}
            className="rp-tab"
            title={describeAsk(ask)}
            data-on={index === open.active ? '' : undefined}
          >
            <button
              type="button"
              role="tab"
              id={tabId(index)}
              aria-selected={index === open.active}
              aria-controls={index === open.active ? PANE_ID : undefined}
              tabIndex={index === active ? 0 : -1}
              onClick={() => onShow(index)}
              onKeyDown={onKeyDown}
            >
              {titleOf(ask)}, <span className="ek-num">{shortNoteOf(ask)}</span>
            </button>
            <button
              type="button"
              className="rp-tab-x"
              aria-label={`Close ${describeAsk(ask)}`}
              onClick={() => onClose(index)}
            >
              <IconX size={14} stroke={1.8} aria-hidden />
            </button>
          </div>
        ))}
      </div>
      <OpenList {...props} />
    </div>
  );
}

/** A list of all open reports, sorted by name and date, with an action that closes them all. */
function OpenList({ open, onShow, onCloseAll }: ReportTabsProps) {
  const isWide = useWide();
  return (
    <div className="rp-tabs-end">
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="subtle" size="compact-sm" rightSection={<IconChevronDown {...ICON_SMALL} />}>
            Open Reports ({open.reports.length})
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {open.reports.map((ask, index) => (
            <Menu.Item
              key={keyOf(ask, index)}
              aria-current={index === open.active ? 'true' : undefined}
              onClick={() => onShow(index)}
            >
              {titleOf(ask)} <span className="ek-muted ek-num">{noteOf(ask)}</span>
            </Menu.Item>
          ))}
          {!isWide && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={onCloseAll}>Close All Open Reports</Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isWide && (
        <Button variant="subtle" size="compact-sm" onClick={onCloseAll}>
          Close All Open Reports
        </Button>
      )}
    </div>
  );
}

function TabMenu({ open, onShow, onBoard, onClose, onCloseAll }: ReportTabsProps) {
  const { reports, active } = open;
  const current = active === undefined ? undefined : reports[active];
  return (
    <Menu position="bottom" width="target">
      <Menu.Target>
        <button type="button" className="ek-tab-select">
          <span className="ek-vh">Open reports: </span>
          <span className="ek-grow ek-ellipsis">
            <span className="ek-semi">{current === undefined ? 'All Reports' : titleOf(current)}</span>{' '}
            {current !== undefined && <span className="ek-muted ek-small ek-num">{noteOf(current)}</span>}
          </span>
          <span className="ek-muted ek-small">
            {active === undefined ? `${reports.length} open` : `${active + 1} of ${reports.length}`}
          </span>
          <IconChevronDown {...ICON} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {reports.map((ask, index) => (
          <Menu.Item
            key={keyOf(ask, index)}
            aria-current={index === active ? 'true' : undefined}
            onClick={() => onShow(index)}
          >
            {titleOf(ask)} <span className="ek-muted ek-num">{noteOf(ask)}</span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        {active === undefined ? null : (
          <>
            <Menu.Item onClick={onBoard}>All Reports</Menu.Item>
            <Menu.Item onClick={() => onClose(active)}>Close this report</Menu.Item>
          </>
        )}
        <Menu.Item onClick={onCloseAll}>Close All Open Reports</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
