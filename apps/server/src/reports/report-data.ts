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
import type { Steps } from '@evenkeel/core/steps';

type Section = ReportData['reportSections'][number];
type Block = Section['reportBlocks'][number];
type Line = Block['reportLines'][number];
type Item = Section['columnSummaryLines'][number]['columnSummaryItems'][number];
type Source = NonNullable<Line['source']>;

/** A report in the wire's form: what is behind a figure names its accounts as a list and its open ends as null. */
export function* reportData({ title, reportHeaderItems, reportSections, reportSummaries }: Report): Steps<ReportData> {
  return {
    title,
    reportHeaderItems,
    reportSections: yield* each(reportSections, wireSection),
    reportSummaries: reportSummaries.map(({ source, columnTotals, adds: _, ...summary }) => {
      return { ...summary, columnTotals: columnTotals?.map(wireItem), source: wireSource(source) };
    }),
  };
}

function* each<T, W>(list: readonly T[], wire: (one: T) => Steps<W>): Steps<W[]> {
  const made: W[] = [];
  for (const one of list) made.push(yield* wire(one));
  return made;
}

function* wireSection({
  source,
  reportBlocks,
  columnSummaryLines,
  adds: _,
  ...section
}: ReportSection): Steps<Section> {
  return {
    ...section,
    reportBlocks: yield* each(reportBlocks, wireBlock),
    columnSummaryLines: columnSummaryLines.map((line) => ({
      columnSummaryItems: line.columnSummaryItems.map(wireItem),
    })),
    source: wireSource(source),
  };
}

function* wireBlock({ source, reportLines, columnTotals, ...block }: ReportBlock): Steps<Block> {
  const lines = yield* each(reportLines, wireLine);
  return { ...block, columnTotals: columnTotals?.map(wireItem), reportLines: lines, source: wireSource(source) };
}

function wireItem({ source, ...item }: ColumnSummaryItem): Item {
  return { ...item, source: wireSource(source) };
}

function* wireLine({ lineItems, source }: ReportLine): Steps<Line> {
  yield;
  return { lineItems: lineItems.map(wireCell), source: wireSource(source) };
}

/** Cells are the most frequent objects, so nothing in them is copied twice. */
function wireCell({ itemText, isCurrency, rightAlign, source }: ReportCell): Line['lineItems'][number] {
  return { itemText, isCurrency, rightAlign, source: wireSource(source) };
}

function wireDetail({ reportId, only, columns }: Detail): Source['detail'] {
  return { reportId, only, columns: columns === undefined ? undefined : [...columns] };
}

function wireSource(source: ReportSource | undefined): Source | undefined {
  if (source === undefined) return undefined;
  const { accountId, accountIds, from, to, basis, profitCenterId, locationId } = source;
  const { entityId, earningsBefore, transactionId, detail, ofAssets, journals } = source;
  return {
    accountIds: accountIds ?? (accountId === undefined ? [] : [accountId]),
    from: from ?? null,
    to,
    basis: basis === 'cash' ? 1 : 0,
    profitCenterId: profitCenterId ?? null,
    locationId: locationId ?? null,
    entityId,
    earningsBefore,
    transactionId,
    ofAssets,
    journals,
    detail: detail && wireDetail(detail),
  };
}
