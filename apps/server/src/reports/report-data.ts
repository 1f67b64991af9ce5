import type { ReportData } from '@evenkeel/contract/reports';
import type {
  Report,
  ReportBlock,
  ReportCell,
  ReportLine,
  ReportSection,
  ReportSource,
} from '@evenkeel/core/reports/report';

type Section = ReportData['reportSections'][number];
type Block = Section['reportBlocks'][number];
type Line = Block['reportLines'][number];
type Source = NonNullable<Line['source']>;

/** A report in the wire's form: what is behind a figure names its accounts as a list and its open ends as null. */
export function reportData({ title, reportHeaderItems, reportSections, reportSummaries }: Report): ReportData {
  return {
    title,
    reportHeaderItems,
    reportSections: reportSections.map(wireSection),
    reportSummaries: reportSummaries.map(({ source, ...summary }) => ({ ...summary, ...sourced(source) })),
  };
}

function wireSection({ source, reportBlocks, columnSummaryLines, ...section }: ReportSection): Section {
  return {
    ...section,
    reportBlocks: reportBlocks.map(wireBlock),
    columnSummaryLines: columnSummaryLines.map((line) => ({
      columnSummaryItems: line.columnSummaryItems.map(({ source: behind, ...item }) => ({
        ...item,
        ...sourced(behind),
      })),
    })),
    ...sourced(source),
  };
}

function wireBlock({ source, reportLines, ...block }: ReportBlock): Block {
  return { ...block, reportLines: reportLines.map(wireLine), ...sourced(source) };
}

function wireLine({ lineItems, source }: ReportLine): Line {
  return { lineItems: lineItems.map(wireCell), ...sourced(source) };
}

function wireCell({ source, ...cell }: ReportCell): Line['lineItems'][number] {
  return { ...cell, ...sourced(source) };
}

function sourced(source: ReportSource | undefined): { source?: Source } {
  if (source === undefined) return {};
  const { accountId, accountIds, from, to, basis, profitCenterId, locationId, entityId, earningsBefore } = source;
  return {
    source: {
      accountIds: accountIds ?? (accountId === undefined ? [] : [accountId]),
      from: from ?? null,
      to,
      basis: basis === 'cash' ? 1 : 0,
      profitCenterId: profitCenterId ?? null,
      locationId: locationId ?? null,
      ...(entityId === undefined ? {} : { entityId }),
      ...(earningsBefore === undefined ? {} : { earningsBefore }),
    },
  };
}
