import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIXED, PERCENTAGE } from './discounts.ts';
import { cents, decimal, extend, toDecimal } from '../money.ts';
import { MY_DISCOUNTS, NO_DISCOUNTS, pricePackage, sellPackage, SMART_DISCOUNT, spreadPackage } from './packages.ts';
import type { PackageItem } from './packages.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 500);

/**
 * Exact arithmetic that is independent of Evenkeel's own: a fraction of two big integers with a positive denominator.
 */
class Fraction {
  readonly top: bigint;
  readonly below: bigint;

  constructor(top: bigint, below = 1n) {
    this.top = below < 0n ? -top : top;
    this.below = below < 0n ? -below : below;
  }

  plus(other: Fraction): Fraction {
    return new Fraction(this.top * other.below + other.top * this.below, this.below * other.below);
  }

  minus(other: Fraction): Fraction {
    return this.plus(other.times(new Fraction(-1n)));
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.top * other.top, this.below * other.below);
  }

  over(other: Fraction): Fraction {
    return new Fraction(this.top * other.below, this.below * other.top);
  }

  compare(other: Fraction): number {
    const difference = this.minus(other).top;
    return difference === 0n ? 0 : difference < 0n ? -1 : 1;
  }

  floor(): bigint {
    const whole = this.top / this.below;
    return this.top % this.below < 0n ? whole - 1n : whole;
  }

  /** Rounds half away from zero to the given number of decimal places. */
  rounded(places: number): Fraction {
    const scale = 10n ** BigInt(places);
    const doubled = (this.top < 0n ? -this.top : this.top) * scale * 2n;
    const whole = (doubled + this.below) / (this.below * 2n);
    return new Fraction(this.top < 0n ? -whole : whole, scale);
  }

  static of(text: string): Fraction {
    const [whole = '0', part = ''] = text.replace('-', '').split('.');
    const top = BigInt(whole + part);
    return new Fraction(text.startsWith('-') ? -top : top, 10n ** BigInt(part.length));
  }
}

const ZERO = new Fraction(0n);
const HUNDRED = new Fraction(100n);
const total = (all: readonly Fraction[]): Fraction => all.reduce((sum, each) => sum.plus(each), ZERO);

/** A generated product or discount, with its amount as text and in whole cents. */
interface Drawn {
  kind: 'product' | 'fixed' | 'percentage';
  price: number;
  percentage: string;
  quantity: string;
}

const text = (units: number, places: number): string => (units / 10 ** places).toFixed(places);
const drawn: fc.Arbitrary<Drawn> = fc.record({
  kind: fc.constantFrom('product', 'product', 'product', 'fixed', 'percentage'),
  price: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 1_000_000 })),
  percentage: fc.integer({ min: 0, max: 300_000 }).map((units) => text(units, 4)),
  quantity: fc.oneof(
    fc.integer({ min: 1, max: 20 }).map(String),
    fc.integer({ min: 1, max: 99_999 }).map((units) => text(units, 4)),
  ),
});
const deals = fc.record({
  mode: fc.constantFrom(NO_DISCOUNTS, MY_DISCOUNTS, SMART_DISCOUNT),
  goal: fc.integer({ min: 0, max: 2_000_000 }),
  lines: fc.array(drawn, { minLength: 1, maxLength: 8 }),
  sold: fc.oneof(
    fc.constant('1'),
    fc.integer({ min: 1, max: 50_000 }).map((units) => text(units, 3)),
  ),
});

type Deal = typeof deals extends fc.Arbitrary<infer T> ? T : never;

function itemOf({ kind, price, percentage, quantity }: Drawn, index: number): PackageItem {
  const common = { name: kind, GLAccountID: 140, profitCenterID: null, productCategoryID: null };
  const isProduct = kind === 'product';
  return {
    quantity: decimal(quantity),
    product: isProduct
      ? { ...common, productID: index + 1, salesPrice: cents(price), taxable: true, productServiceType: 1 }
      : null,
    discount: isProduct
      ? null
      : {
          ...common,
          discountID: index + 1,
          discountType: kind === 'fixed' ? FIXED : PERCENTAGE,
          discountTypeTarget: 1,
          discountPercentage: percentage,
          discountFlatValue: cents(price % 5000),
        },
  };
}

/** Returns the value of each line as a fraction, calculated from the rules. */
function exactValues(lines: readonly Drawn[], mode: number): Fraction[] {
  const dollars = (price: number): Fraction => new Fraction(BigInt(price), 100n);
  const products = lines.map(({ kind, price, quantity }) =>
    kind === 'product' ? dollars(price).times(Fraction.of(quantity)).rounded(6) : ZERO,
  );
  const subtotal = total(products);
  return lines.map(({ kind, price, percentage, quantity }, index) => {
    if (kind === 'product' || mode !== MY_DISCOUNTS) return products[index] ?? ZERO;
    const taken =
      kind === 'fixed'
        ? dollars(price % 5000).times(Fraction.of(quantity))
        : subtotal.times(Fraction.of(percentage)).over(HUNDRED);
    return ZERO.minus(taken.rounded(6));
  });
}

/** The number of useful samples for each mode, so that a run without useful samples cannot pass. */
const seen = [0, 0, 0];

test('random packages cost the same as with exact fractions, and their parts add up to that price', () => {
  const check = ({ mode, goal, lines, sold }: Deal): void => {
    const items = lines.map(itemOf);
    const priced = pricePackage({ packageDealDiscountType: mode, goalPrice: cents(goal), items });
    const values = exactValues(lines, mode);
    priced.values.forEach((value, index) => {
      expect(Fraction.of(value.toFixed(6)).compare(values[index] ?? ZERO)).toBe(0);
    });
    const isProduct = lines.map(({ kind }) => kind === 'product');
    const gross = total(values.filter((_, index) => isProduct[index]));
    const whole = mode === SMART_DISCOUNT ? new Fraction(BigInt(goal), 100n) : total(values);
    expect(Fraction.of(priced.total.toFixed(6)).compare(whole)).toBe(0);
    if (priced.smart !== null) {
      const percentage = gross.top === 0n ? ZERO : whole.minus(gross).times(HUNDRED).over(gross).rounded(6);
      expect(Fraction.of(priced.smart.percentageValue.toFixed(6)).compare(percentage)).toBe(0);
      expect(Fraction.of(priced.smart.amount.toFixed(6)).compare(whole.minus(gross))).toBe(0);
    }
    if (whole.compare(ZERO) < 0 || (mode !== MY_DISCOUNTS && !isProduct.includes(true))) return;

    const { itemPrice, parts } = sellPackage({ packageDealDiscountType: mode, goalPrice: cents(goal), items });
    expect(Fraction.of(toDecimal(itemPrice).toFixed(2)).compare(whole.rounded(2))).toBe(0);
    const amount = extend(toDecimal(itemPrice), decimal(sold));
    const posted = spreadPackage(parts, amount, decimal(sold));
    expect(posted.reduce((sum, part) => sum + part, 0)).toBe(amount);

    // Each part is one of the two whole-cent amounts nearest to its exact share, and no smaller fraction was rounded up
    // before a larger one.
    const kept = lines.flatMap((_, index) => (isProduct[index] || mode === MY_DISCOUNTS ? [index] : []));
    const quantity = Fraction.of(sold);
    const worth = kept.map((index) => (values[index] ?? ZERO).times(quantity).times(HUNDRED));
    const missing = new Fraction(BigInt(amount)).minus(total(worth));
    const piecesOf = (index: number): Fraction => Fraction.of(lines[index]?.quantity ?? '0');
    const pieces = total(kept.filter((index) => isProduct[index]).map(piecesOf));
    const exact = kept.map((index, place) => {
      if (!isProduct[index]) return worth[place] ?? ZERO;
      const share = gross.top === 0n ? piecesOf(index).over(pieces) : (values[index] ?? ZERO).over(gross);
      return (worth[place] ?? ZERO).plus(missing.times(share));
    });
    const up = posted.map((part, place) => BigInt(part) - (exact[place] ?? ZERO).floor());
    const fractions = exact.map((each) => each.minus(new Fraction(each.floor())));
    up.forEach((step, place) => {
      expect(step === 0n || step === 1n).toBe(true);
      if (step !== 1n) return;
      const larger = fractions.filter((other, at) => up[at] === 0n && other.compare(fractions[place] ?? ZERO) > 0);
      expect(larger).toEqual([]);
    });
    seen[mode] = (seen[mode] ?? 0) + 1;
  };
  fc.assert(fc.property(deals, check), { numRuns });
  for (const count of seen) expect(count).toBeGreaterThan(numRuns / 20);
});
