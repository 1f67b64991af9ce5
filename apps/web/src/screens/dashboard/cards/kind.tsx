import type { CardPart, Cards } from '@evenkeel/contract/dashboard';
import type { EntriesAsk } from '@evenkeel/contract/explain';
import { type CardKey, CARDS } from '@evenkeel/core/cards';
import type { Cents } from '@evenkeel/core/money';
import type { ComponentType, ReactNode } from 'react';
import { ExplainButton, type ExplainButtonProps } from '../../../parts/ledger/ExplainButton.tsx';
import type { Explained } from '../../../parts/ledger/explained.ts';
import { useSeesLedger } from '../../../client/seesLedger.ts';

/** An amount on a card: its title and its source. */
export interface ExplainedFigure {
  title: string;
  what: Explained;
}

/** The props of a card's body: its amounts, and its callbacks. */
export interface BodyProps<Figures> {
  card: Figures;
  choosePlType: (plType: number) => void;
}

interface CardSpec<Figures> {
  /** The explanation for the info button. */
  about: string;
  /** The report that shows the same amounts. */
  report: { id: number; title: string };
  /** Whether the card shows today's amounts, without a choice of periods. */
  isAsOf?: boolean;
  Body: ComponentType<BodyProps<Figures>>;
  /**
   * Returns the source of the amount with this name if the response doesn't list the amount among its parts. Returns
   * undefined for an unknown name.
   */
  explain?: (name: string, card: Figures) => ExplainedFigure | undefined;
}

/** The definition of a card type. Its amounts may be missing from the response. */
export interface CardKind extends Pick<CardSpec<never>, 'about' | 'report' | 'isAsOf'> {
  body: (cards: Cards, actions: Omit<BodyProps<never>, 'card'>) => ReactNode;
  /** Returns the source of an amount by its URL name without the card's prefix, for example `total`. */
  explain: (name: string, cards: Cards) => ExplainedFigure | undefined;
}

/** Defines a card by its amounts. */
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

/** Returns the source of an amount that the response lists. The source consists of entries. */
function partFigure(key: CardKey, name: string, parts: readonly CardPart[] = []): ExplainedFigure | undefined {
  const part = parts.find((each) => each.name === name);
  const { title } = CARDS[key];
  return (
    part && { title: part.label === title ? title : `${title}: ${part.label}`, what: entries(part.source, part.credit) }
  );
}

/** Returns entries as the source of an amount. */
export function entries({ accountIds, from, to, basis }: CardPart['source'], credit = false): Explained {
  const ask: EntriesAsk = { accountIds, from, to, basis };
  return { kind: 'entries', ask, credit };
}

/** Returns the source of one of several lines. The card's last line combines several sources. */
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
  /** Describes how an amount is calculated. */
  how: string;
  figure: string;
  /** The names of the amounts that the result is calculated from. */
  of: readonly string[];
}

/** Returns the source of a percentage or ratio: the amounts that it is calculated from. */
export function quotientFigure({ title, how, figure, of }: Quotient, parts: readonly CardPart[] = []): ExplainedFigure {
  const found = of.flatMap((name) => parts.find((part) => part.name === name) ?? []);
  return { title, what: { kind: 'parts', figure, how, parts: found } };
}

/** The label of the line that combines all other items. */
export const ALL_OTHER = 'All other';

/** An amount that opens its entries, for users who can see entries. */
export function Explain({ name, children }: Pick<ExplainButtonProps, 'name' | 'children'>) {
  return (
    <ExplainButton name={name} isAllowed={useSeesLedger()}>
      {children}
    </ExplainButton>
  );
}

/** Returns the scale for adjacent bars, which is at least 1 to avoid a division by zero. */
export const mostOf = (amounts: readonly Cents[]): number => Math.max(...amounts, 1);
