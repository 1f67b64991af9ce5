/**
 * Passwords of six or more characters that attackers try first, in lowercase. The list was compiled by hand from the
 * entries that appear in all yearly lists of leaked passwords (NordPass, SplashData, the British NCSC): digit and
 * keyboard sequences, the word "password", first names, teams, and plain words with one or two digits.
 */
const WORDS = `
  123123 123123123 1231234 123321 1234554321 123456a 1234567a 12345678a 123456789a 1234abcd 1234qwer 123abc 123qwe
  123qweasd 123qweasdzxc 12qwaszx 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 112233
  11223344 1122334455 121212 12121212 131313 147258 147258369 1472583690 159357 159753 159951 232323 246810 252525
  258456 321321 321654 456123 456456 456789 456852 563214 654123 741852 741852963 753951 789456 789456123 852456
  963852 963852741 987123 5201314 7758521 101010 010203 100200 121314 123654 123789 135790 142536 147852 151515 171717
  202020 212121 420420 696969 070707 080808 090909 102030 10203040
  a12345 a123456 a1234567 a12345678 a123456789 a1b2c3 a1b2c3d4 aa1234 aa123456 aaa111 ab123456 abc123 abc1234 abc12345
  abc123456 abcd123 abcd1234 abcdef123 asd123 asd123456 asdasd asdasd123 asdf1234 asdfasdf asdfghjkl1 azerty azerty123
  azertyuiop q1w2e3 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qazqaz qazwsx qazwsx123 qazwsxedc qazxsw qqww1122 qwe123 qwe123456
  qweasd qweasd123 qweasdzxc qweqwe qwer1234 qwerasdf qwert1 qwert123 qwert12345 qwerty1 qwerty11 qwerty12 qwerty123
  qwerty1234 qwerty12345 qwerty123456 qwertz qwertzuiop w123456 z123456 zaq12wsx zaq1xsw2 zaq1zaq1 zxc123 zxcasdqwe
  zxcvbnm1 zxcvbnm123
  passw0rd pass1234 pass12345 pass123456 password password0 password00 password01 password1 password11 password12
  password123 password1234 password12345 password123456 password2 password3 password99 passwort passwort1 p@ssw0rd
  p@ssword p@ssword1 p@55w0rd pa55word pa55w0rd motdepasse contrasena
  access access14 account accounting admin1 admin12 admin123 admin1234 admin12345 admin123456 administrator
  adminadmin changeme changeme1 changeme123 default default1 demo123 demo1234 enter123 finance guest123 guest1234
  letmein letmein1 letmein123 login123 login1234 manager master master1 master123 money123 office office123 root123
  rootroot secret secret1 secret123 server service staff123 support system system123 temp123 temp1234 temporary test12
  test123 test1234 test12345 test123456 testing testing1 testing123 testtest trustno1 user123 user1234 username
  welcome welcome1 welcome12 welcome123 welcome1234 company company1 company123 business invoice invoice1 evenkeel
  evenkeel1 evenkeel123 hello1 hello12 hello123 hello1234 hellohello whatever whatever1 iloveu iloveyou iloveyou1
  iloveyou2 iloveyou123 lovely loveme loveyou love123 love1234 forever friends family babygirl babygirl1 princess
  princess1 sunshine sunshine1 flower flowers summer summer1 summer123 winter winter1 spring autumn monday friday
  january february october november december football football1 football123 baseball baseball1 basketball soccer
  soccer1 hockey hockey1 golfer yankees cowboys steelers packers eagles lakers arsenal chelsea chelsea1 liverpool
  liverpool1 everton rangers celtic juventus barcelona realmadrid superman superman1 batman batman1 batman123 spiderman
  pokemon pokemon1 starwars starwars1 matrix naruto minecraft blink182 metallica nirvana slipknot eminem rockstar
  dragon dragon1 dragon123 monkey monkey1 monkey123 shadow shadow1 tigger tigger1 tiger1 killer killer1 hunter hunter1
  hunter2 ranger ranger1 buster buster1 bailey maggie ginger pepper cookie cookie1 chocolate cheese banana orange
  orange1 purple purple1 yellow silver golden diamond crystal rainbow angel1 angels angel123 butterfly dolphin mustang
  mustang1 corvette ferrari porsche mercedes harley harley1 yamaha toyota computer computer1 internet samsung samsung1
  google google1 google123 facebook facebook1 windows windows1 microsoft myspace1 linkedin youtube gaming gamer123
  freedom freedom1 america america1 england canada london london1 newyork boston dallas austin phoenix chicago texas1
  michael michael1 jordan jordan1 jordan23 jennifer jessica jessica1 ashley ashley1 amanda amanda1 andrew andrew1
  anthony anthony1 daniel daniel1 danielle charlie charlie1 charlie123 matthew matthew1 joshua joshua1 robert robert1
  thomas thomas1 george george1 nicole nicole1 michelle michelle1 justin justin1 william samantha patrick richard
  taylor hannah sophie oliver joseph martin stephen steven edward victoria elizabeth jasmine jasmine1 alexander
  alexandra nicholas natalie andrea melissa stephanie rachel rebecca sarah123 maria123 john1234 david123 mike1234
  merlin wizard ninja123 zombie qwaszx qwqwqw thunder lightning champion jackson jackson1 snoopy scooter peanut sparky
  cheyenne cowboy marina muffin mickey mickey1 minnie donald disney
  biteme fuckyou fuckyou1 fuckoff asshole bullshit pussycat hottie sexy123 nothing nothing1 unknown please openup
  opensesame sesame abracadabra swordfish trouble genius gandalf jesus1 jesus123 christ blessed heaven
`;

const COMMON: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));

/**
 * Keyboard rows, the digits, and the alphabet, which are also checked backward. A part of one of these sequences is not
 * a secure password.
 */
const RUNS = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'].flatMap((run) => [
  run,
  [...run].reverse().join(''),
]);

/**
 * Returns whether attackers are likely to try a password early: a password from the list, a repeated character, or part
 * of a keyboard row. Also returns true for a word that identifies the account (`about`: the email address, the part of
 * it before the
 * @, and the company's name).
 */
export function isCommonPassword(password: string, about: readonly string[] = []): boolean {
  if (COMMON.has(password.toLowerCase()) || new Set(password).size === 1) return true;
  const plain = plainOf(password);
  if (plain === '') return false;
  if (RUNS.some((run) => run.includes(plain))) return true;
  return about.flatMap((text) => [text, text.split('@', 1)[0] ?? '']).some((text) => plainOf(text) === plain);
}

/** Returns the text in lowercase without spaces and punctuation. */
const plainOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
