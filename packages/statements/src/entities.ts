const DASHES = { ndash: String.fromCharCode(0x2013), mdash: String.fromCharCode(0x2014) };

/** The HTML names of the Latin-1 letters, starting with U+00A0. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring ' +
  'AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml ' +
  'times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil ' +
  'egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ' +
  'ugrave uacute ucirc uuml yacute thorn yuml';

const NAMED = new Map([
  ...LATIN_1.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)]),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", euro: '€', ...DASHES }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', hellip: '…', bull: '•', trade: '™' }),
]);

function letterOf(entity: string, name: string): string {
  if (!name.startsWith('#')) return NAMED.get(name) ?? NAMED.get(name.toLowerCase()) ?? entity;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isLetter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isLetter ? String.fromCodePoint(code) : entity;
}

/** Decodes entities, even if the bank escaped them twice ("&amp;amp;" → "&"). Unknown entities are unchanged. */
export function withoutEntities(text: string): string {
  let now = text;
  for (let round = 0; round < 3 && now.includes('&'); round += 1) {
    const next = now.replace(/&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,7});/g, letterOf);
    if (next === now) break;
    now = next;
  }
  return now;
}
