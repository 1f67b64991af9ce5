import axe from 'axe-core';

/** Private fields as axe has them: in weak maps, for browsers that know none. */
const asFields: [RegExp, string][] = [
  [/_classPrivateFieldInitSpec\(this, (\w+), void 0\);/g, 'this.$1 = void 0;'],
  [/(?<!function )_classPrivateFieldGet\((\w+), (\w+)\)/g, '$2.$1'],
  [/_classPrivateFieldSet\((\w+), this, /g, '(this.$1 = '],
  [/_classPrivateMethodInitSpec\(this, \w+\);/g, ''],
  [/_assertClassBrand\(\w+, this, (\w+)\)/g, '$1'],
];

/**
 * axe, with plain fields in place of weak maps: a third of the time that it took to look at colors went into them, six
 * for each color. Half replaced code would throw at once.
 */
export const quickAxe = asFields.reduce((source, [maps, field]) => source.replace(maps, field), axe.source);
