import type { CardPart, Cards } from '@evenkeel/contract/dashboard';
import type { EntriesAsk } from '@evenkeel/contract/explain';
import { type CardKey, CARDS } from '@evenkeel/core/cards';
import type { Cents } from '@evenkeel/core/money';
import type { ComponentType, ReactNode } from 'react';
import { ExplainButton, type ExplainButtonProps } from '../../../parts/ledger/ExplainButton.tsx';
import type { Explained } from '../../../parts/ledger/explained.ts';
import { useSeesLedger } from '../../../parts/ledger/seesLedger.ts';

/** A figure of a card: what it is called, and what is behind it. */
export interface ExplainedFigure {
  title: string;
  what: Explained;
}

/** A card's figures, and what it may ask of its frame. */
export interface BodyProps<Figures> {
  card: Figures;
  choosePlType: (plType: number) => void;
}

interface CardSpec<Figures> {
  /** Its explanation, for its info button. */
  about: string;
  /** The report that has its figures. */
  report: { id: number; title: string };
  /** True where it is of today, without a choice of periods. */
  isAsOf?: boolean;
  Body: ComponentType<BodyProps<Figures>>;
  /** The source of a figure that is none of the sums the answer names; undefined for any other name. */
  explain?: (name: string, card: Figures) => ExplainedFigure | undefined;
}

/** One kind of card, all that the screen knows of it; the answer may have no figures of it. */
export interface CardKind extends Pick<CardSpec<never>, 'about' | 'report' | 'isAsOf'> {
  body: (cards: Cards, actions: Omit<BodyProps<never>, 'card'>) => ReactNode;
  /** By the name that the address gives it behind the card's own: `total`. */
  explain: (name: string, cards: Cards) => ExplainedFigure | undefined;
}

/** Declares a card by its figures. */
export function cardKind<K extends CardKey>(key: K, spec: CardSpec<NonNullable<Cards[K]>>): CardKind {
  const { about, report, isAsOf, Body, explain } = spec;
  return {
    about,
    report,
    ...(isAsOf === true && { isAsOf }),
    body: (cards, actions) => {
      const card = cards[key];
      return card && <Body card={card} {...actions} />;
    },
    explain: (name, cards) => {
      const card = cards[key];
      return card && (explain?.(name, card) ?? partFigure(key, name, card.parts));
    },
  };
}

/** One of the sums that the answer names with the entries behind it. */
function partFigure(key: CardKey, name: string, parts: readonly CardPart[] = []): ExplainedFigure | undefined {
  const part = parts.find((each) => each.name === name);
  const { title } = CARDS[key];
  return (
    part && { title: part.label === title ? title : `${title}: ${part.label}`, what: entries(part.source, part.credit) }
  );
}

/** Entries as what is behind a figure. */
export function entries({ accountIds, from, to, basis }: CardPart['source'], credit = false): Explained {
  const ask: EntriesAsk = { accountIds, from, to, basis };
  return { kind: 'entries', ask, credit };
}

/** One of several lines with a source of their own; more than one make up a last line of the card. */
export function linesFigure(
  title: string,
  lines: readonly { source?: CardPart['source'] | undefined }[],
): ExplainedFigure | undefined {
  const sources = lines.flatMap(({ source }) => source ?? []);
  const [first] = sources;
  if (first === undefined) return undefined;
  return { title, what: entries({ ...first, accountIds: sources.flatMap(({ accountIds }) => accountIds) }) };
}

interface Quotient {
  title: string;
  /** The way it is computed. */
  how: string;
  figure: string;
  /** The sums that it is made of, by their names. */
  of: readonly string[];
}

/** A percentage or ratio, with the sums of which it is made. */
export function quotientFigure({ title, how, figure, of }: Quotient, parts: readonly CardPart[] = []): ExplainedFigure {
  const found = of.flatMap((name) => parts.find((part) => part.name === name) ?? []);
  return { title, what: { kind: 'parts', figure, how, parts: found } };
}

/** The line of a card for all that has no line of its own. */
export const ALL_OTHER = 'All other';

/** A figure of a card that opens its entries, for who may see entries. */
export function Explain({ name, children }: Pick<ExplainButtonProps, 'name' | 'children'>) {
  return (
    <ExplainButton name={name} isAllowed={useSeesLedger()}>
      {children}
    </ExplainButton>
  );
}

/** The smallest whole of bars beside each other, so that none is divided by nothing. */
export const mostOf = (amounts: readonly Cents[]): number => Math.max(...amounts, 1);
