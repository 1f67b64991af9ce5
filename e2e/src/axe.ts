import axe from 'axe-core';

/** Replacements for axe's private fields, which use weak maps for old browsers. */
const asFields: [RegExp, string][] = [
  [/_classPrivateFieldInitSpec\(this, (\w+), void 0\);/g, 'this.$1 = void 0;'],
  [/(?<!function )_classPrivateFieldGet\((\w+), (\w+)\)/g, '$2.$1'],
  [/_classPrivateFieldSet\((\w+), this, /g, '(this.$1 = '],
  [/_classPrivateMethodInitSpec\(this, \w+\);/g, ''],
  [/_assertClassBrand\(\w+, this, (\w+)\)/g, '$1'],
];

/** Reads the text of each color only once. A page has thousands of elements but only a dozen colors. */
const colorsOnce: [RegExp, string][] = [
  [
    /(value: function parseString\(colorString\) \{)/,
    `$1
          const colors = (window.colorsOfAxe ??= new Map());
          if (colors.has(colorString)) return Object.assign(this, colors.get(colorString));
          const text = colorString;`,
  ],
  [
    /(this\.alpha = \+_color2\.alpha;)/,
    `$1
            colors.set(text, { r: _color2.r, g: _color2.g, b: _color2.b, alpha: this.alpha });`,
  ],
];

/** Keeps axe's data about the page for the next run while `axe.keepsTree` is true. */
const treeKept: [RegExp, string][] = [
  [/function teardown\(\) \{/, '$& if (axe.keepsTree) return;'],
  [/(function runRules\(.*\) \{\s+try \{\s+context = new Context\(context)\);/, '$1, axe._tree);'],
];

/**
 * A version of axe that uses plain fields instead of weak maps, reads each color only once, and can check a page again
 * in another theme without measuring it again. Weak maps and repeated reads took nearly half of the time for color
 * checks. A wrong replacement causes an error or findings that differ from axe's, which axe.e2e.ts detects.
 */
export const quickAxe = [...asFields, ...colorsOnce, ...treeKept].reduce(
  (source, [own, ours]) => source.replace(own, ours),
  axe.source,
);
