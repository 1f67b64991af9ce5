// Phrases that a native technical writer would rewrite. Each rule has a pattern, advice, and the kinds of text that it
// checks: s for strings in the product, c for comments, t for test names, d for docs.

/** The kinds of text that a rule checks. */
export type Pool = 's' | 'c' | 't' | 'd';

interface VoiceRule {
  name: string;
  pattern: RegExp;
  advice: string;
  pools: readonly Pool[];
}

const ALL: readonly Pool[] = ['s', 'c', 't', 'd'];
const rule = (name: string, pattern: RegExp, advice: string, pools: readonly Pool[] = ALL): VoiceRule => ({
  name,
  pattern,
  advice,
  pools,
});

export const voiceRules: readonly VoiceRule[] = [
  rule('any-more', /\bany ?more\b/i, 'no longer'),
  rule('meanwhile', /\bmeanwhile\b/i, 'since you opened it, in the meantime'),
  rule('whoever', /\b(whoever|whomever|whom|one's own|oneself|the own)\b/i, 'name the person: the user, you'),
  rule('is-such', /\b(is|are) such\b|\bsuch (ones?|a one)\b|[^,]\bsuch\.?$/i, 'name the thing'),
  rule(
    'stands',
    /\bst(ands?|ood|anding) (?!for\b|alone\b)(on|in|at|here|there|below|above|beside|behind|before|after|under|over|with|as|where|up|,|\.|$)/i,
    'is, appears, is shown',
  ),
  rule('comes-to', /\b(comes?|came|coming) to (?!mind)(?=[a-z$§{\d]|its|their)/i, 'totals, adds up to, equals'),
  rule(
    'comes-again',
    /\b(comes?|came) (again|along|any ?more|next|in between|of it|behind|beside)\b/i,
    'repeats, recurs',
  ),
  rule('take-back', /\b(take|takes|taken|took|taking)( \w+){0,3} back\b/i, 'undo, reverse, revoke, cancel'),
  rule('left-out', /\b(leave|leaves|left|leaving)( \w+){0,2} out\b/i, 'exclude, skip, omit'),
  rule(
    'told',
    /\b(is|are|was|were|be|been) told\b|\btells? (that|whether|of|what|how|the|which|apart)\b/i,
    'shows, reports',
  ),
  rule('answers', /(^|[;,.] |\bit |\bthat |\band )answers (?!to\b|the question)(?=[a-z`\d[{'"])/i, 'returns'),
  rule('anew', /\b(anew|afresh)\b/i, 'again, re-'),
  rule(
    'archaic',
    /\b(mend|mends|mended|vouch|shall|whence|thereof|wherein|lest|likewise|hinders?|heed)\b/i,
    'the plain word',
  ),
  rule('alone', /\balone\b(?=[.,;:)]|$)/i, 'only'),
  rule('by-itself', /\bby (itself|themselves)\b|\bof (its|their|one's) own\b/i, 'automatically, separate, own'),
  rule('beside', /\bbeside\b/i, 'next to, in addition to'),
  rule('besides', /\bbesides\b(?=[.,;:)]|$)/i, 'also'),
  rule(
    'bare-pronoun',
    /^(It|They|Those|Its|Their|None|Others|One that|One (is|of|with|who)) ?[a-z]/,
    'name the thing',
    ['s', 'c'],
  ),
  rule(
    'fragment',
    /^(As (?!of\b|an?\b|known\b|root\b)|(Whom|Whose|Of|Besides|Behind|Beside|So|Than|That) )[a-z][^?]*$/,
    'start with a verb or a noun',
    ['s', 'c'],
  ),
  rule('nothing', /^(Nothing|Nobody|None|Whoever) [a-z]+/, 'make the real subject the subject', ['s', 'c', 't']),
  rule('is-no', /\b(is|are|was|were) (no|none) (?!longer|more than|less than|one\b)[a-z]+/i, 'is not a …'),
  rule(
    'what-clause',
    /(?<!^)\bwhat (is|was|are|were|has|had|it|they|no|each|somebody|stands?|comes|follows) (?![^.]*\?)/i,
    'name the thing',
  ),
  rule(
    'those-that',
    /\b(those (of|that|who|which|in|with|from|behind|before)|that of|ones? (that|who|which)) (?=[a-z])/i,
    'name the thing',
    ['s', 'd'],
  ),
  rule('somebody', /\b(somebody|anybody|nobody|everybody)\b/i, 'someone, anyone, no one, everyone'),
  rule(
    'by-now',
    /\b(by now|(paid|answers?|ends?|ended|counts?|refused|made|begins?|starts?|told|gone) at once|a further|further (books|company|contacts|line))\b/i,
    'now, immediately, at a time, another',
  ),
  rule('hyphen-email', /\be-mails?\b/i, 'email'),
  rule(
    'british',
    /\b(colour\w*|favour\w*|ageing|cancelled|cancelling|recognis\w+|organis\w+|licence|judgement|grey|whilst|towards|behaviour\w*|labelled|travell\w+)\b/,
    'American spelling',
  ),
  rule('latin', /\b(e\.g\.|i\.e\.|etc\.)/, 'for example, that is, and so on', ['s', 'd']),
  rule('semicolon', /\w; \w/, 'two sentences', ['s']),
];
