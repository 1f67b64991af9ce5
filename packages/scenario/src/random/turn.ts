import type { Dice } from '@evenkeel/core/dice';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import type { Books } from '../books.ts';
import type { Scenario, ScenarioDocument, ScenarioEvent } from '../scenario.ts';

/** A turn in a random scenario: the current books, and the random numbers for the next event. */
export interface Turn {
  dice: Dice;
  books: Books;
  scenario: Scenario;
  turn: number;
  from: IsoDate;
}

/** Returns the event for a turn, or undefined if no record is suitable. */
export type Happening = (turn: Turn) => ScenarioEvent | undefined;

export const CUSTOMERS = ['Alder', 'Birch', 'Cedar'] as const;
export const VENDORS = ['Dogwood', 'Elder'] as const;

export function randomDate({ dice, from }: Turn): IsoDate {
  return addDays(from, dice.between(0, 730));
}

/** Returns a day near the given one, or any day. */
export function dateNear(turn: Turn, date: IsoDate): IsoDate {
  return turn.dice.chance(60) ? addDays(date, turn.dice.between(-40, 90)) : randomDate(turn);
}

export function removal(document: ScenarioDocument, key: string | undefined): ScenarioEvent | undefined {
  return key === undefined ? undefined : { kind: 'delete', document, key };
}
