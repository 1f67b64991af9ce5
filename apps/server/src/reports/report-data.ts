import type { ReportData } from '@evenkeel/contract/reports';
import type {
  ColumnSummaryItem,
  Detail,
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
type Item = Section['columnSummaryLines'][number]['columnSummaryItems'][number];
type Source = NonNullable<Line['source']>;

/** A report in the wire's form: what is behind a figure names its accounts as a list and its open ends as null. */
export function reportData({ title, reportHeaderItems, reportSections, reportSummaries }: Report): ReportData {
  return {
    title,
    reportHeaderItems,
    reportSections: reportSections.map(wireSection),
    reportSummaries: reportSummaries.map(({ source, columnTotals, adds: _, ...summary }) => {
      return { ...summary, ...totalled(columnTotals), ...sourced(source) };
    }),
  };
}

function wireSection({ source, reportBlocks, columnSummaryLines, adds: _, ...section }: ReportSection): Section {
  return {
    ...section,
    reportBlocks: reportBlocks.map(wireBlock),
    columnSummaryLines: columnSummaryLines.map((line) => ({
      columnSummaryItems: line.columnSummaryItems.map(wireItem),
    })),
    ...sourced(source),
  };
}

function wireBlock({ source, reportLines, columnTotals, ...block }: ReportBlock): Block {
  return { ...block, ...totalled(columnTotals), reportLines: reportLines.map(wireLine), ...sourced(source) };
}

function totalled(items: readonly ColumnSummaryItem[] | undefined): { columnTotals?: Item[] } {
  return items === undefined ? {} : { columnTotals: items.map(wireItem) };
}

function wireItem({ source, ...item }: ColumnSummaryItem): Item {
  return { ...item, ...sourced(source) };
}

function wireLine({ lineItems, source }: ReportLine): Line {
  return { lineItems: lineItems.map(wireCell), ...sourced(source) };
}

function wireCell({ source, ...cell }: ReportCell): Line['lineItems'][number] {
  return { ...cell, ...sourced(source) };
}

function wireDetail({ reportId, only, columns }: Detail): Source['detail'] {
  return { reportId, only, ...(columns === undefined ? {} : { columns: [...columns] }) };
}

function sourced(source: ReportSource | undefined): { source?: Source } {
  if (source === undefined) return {};
  const { accountId, accountIds, from, to, basis, profitCenterId, locationId } = source;
  const { entityId, earningsBefore, transactionId, detail, ofAssets } = source;
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
      ...(transactionId === undefined ? {} : { transactionId }),
      ...(ofAssets === undefined ? {} : { ofAssets }),
      ...(detail === undefined ? {} : { detail: wireDetail(detail) }),
    },
  };
}
