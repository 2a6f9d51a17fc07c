import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseText } from '../../src/text-rules/parse-text.ts'
import { textRules } from '../../src/text-rules/text.ts'
import { BUILT_IN_WORDS } from '../../src/text-rules/word-lists.ts'
import { compileWords, findWords } from '../../src/text-rules/words.ts'

const rows = (list: string): string[] =>
  list
    .split('\n')
    .flatMap((line) => line.split(' | '))
    .map((row) => row.trim())
    .filter((row) => row !== '')

const rules = textRules({ blocked: [], allowed: [] })

const INNOCENT = rows(`
  Scunthorpe | Scunthorpe United to beat Grimsby | scunthorpe utd's away form | S C U N T H O R P E | ScunthorpeFan
  Arsenal | A R S E N A L | Arsenal to win at 11/10 | Arsenal @11/10 | @Arsenal | #Arsenal | Chelsea v Arsenal | Arsène
  Dick Francis | DickTurpin | Dick Turpin | Dick Advocaat's side | Julian Dicks | Dickie Bird | Moby Dick | spotted dick
  Tit for tat | Titans | Tennessee Titans -3.5 | Titus Bramble | Abi Titmuss | title odds | Constitution Hill
  a blue tit
  Penistone Church FC | Wankdorf | Young Boys at the Wankdorf | Wankhede Stadium, Mumbai | Aaron Wan-Bissaka | swanky
  Each way at 11/10 | 11/10 | 4/6 | 7-2 | 100 | 2.5 | 1st | 3rd | 90min | 1m4f | 5f sprint, 7lb claimer | 3pt win | 4yo
  Rafa Nadal 6-4 6-4 | A 5-5 draw | Group A 5 5 | T20 | B365 | bet365 boost | M1 A55 A50 | $100 | $5m purse | 50/50
  100%
  NAP *** of the day | *NAP* | Best bet*** | 5* hotel | W W D L W | 1-2-3-F-P-U | F U P 1 2 | P/F12-3 | X X X | T_T
  F 4 G | P 0-0 F | c/on
  Cockfosters | cockerels | The Cockerels | Peacock | Nick Hancock | Alistair Cockburn | Hitchcock | Woodcock
  Joe Cocker
  cock-a-hoop after that win | shuttlecock | Cocktail of results | Babcock | Clitheroe | Lightwater | Saltwater
  Twatt, Orkney
  Essex | Sussex | Middlesex v Sussex at Lord's | Bassett | assist | 2 assists and a goal | assess | class act | passes
  grass court | brass | embarrassing | massive | Assen TT | assassin | tom@ssex.co.uk | Chorlton-cum-Hardy
  magna cum laude
  Cummings | Cumbria | accumulator | cumulative | document | circumstances | cucumber | Uranus | canal | analysis
  Ron Atkinson's analysis | an Al Ahly win | the pen is taken | it's hit the post | that's hit the bar
  who're you backing
  push it | pushing it wide | he mishits that | shiitake | Shiite | Matsushita | Egor Shitov | Danny Shittu | Shitterton
  Fuchs | Christian Fuchs | Stefan Kuntz | Leonid Slutsky | Jaap Stam | Kaka | Semen Padang | Kike García | Kike Salas
  Nicky Butt | Ed Balls | Greg Dyke | Offa's Dyke | Hoare | Gay Kelleway | Fanny Blankers-Koen | Randy Orton
  grape | therapist | rapeseed | rapped on the pads | trapped in stall 1 | Rapid Vienna | a chink in the armour | Spicer
  the horse pricked his ears | pricks his ears | won the toss | toss-up | Slagelse | Lesbos | Homo sapiens | Terry Wogan
  Pakistan v India | Japan to qualify | Nigeria | Niger | Nigel Pearson | a niggling injury | sniggering
  niggardly bowling
  tycoon | raccoon | cocoon | Bastia | Mathieu Bastareaud | Joe Fagan | flag | Bitcoin | Pornpawee Chochuwong | Knobel
  F.A. Cup | T.K.O. | A.F.C. Bournemouth | i.e. the draw | Uckfield | C Untersee | Duckett | suck it up | bloody git
  Beşiktaş | Fenerbahçe | Śląsk Wrocław | Спартак Москва | Тит | Ολυμπιακός | 東京ヴェルディ | ทีมชาติไทย | الهلال
  £10 e/w | Over 2.5 goals & BTTS | BTTS + over 2.5 | Lay @ 1.5 | Back @5/2 | Six 4s | Kevin De Bruyne 2+ shots
`)

/** Text and expected solution. */
const MASKED = rows(`
  Fuck off → **** off | f u c k off → * * * * off | f.u.c.k → *.*.*.* | f-u-c-k you → *-*-*-* you | f_u_c_k → *_*_*_*
  f*u*c*k → ******* | f u c king useless → * * * **** useless | fu ck → ** ** | fuuuuck it → ******* it | fuuck → *****
  fffuuuccckkk → ************ | FuCk ThIs → **** ThIs | fuсk → **** | fυck → **** | ｆｕｃｋ → **** | 𝕱𝖚𝖈𝖐 this → **** this
  Ⓕⓤⓒⓚ this → **** this | f\u200bu\u200bc\u200bk → ******* | f\u00aduck this → ***** this | fu\u0308ck → *****
  f\u0336u\u0336c\u0336k\u0336 it → ******** it | fück → **** | ƒuck → **** | fuck!!! → ****!!!
  fuckin' hell → ******' hell
  mother-fucker → ******-****** | f🔥u🔥c🔥k → *🔥*🔥*🔥* | unfuckingbelievable → ******************* | f*ck → ****
  f**k → ****
  f*** off → **** off | f***ing ref → ******* ref | f-ck → **** | f#ck → **** | sh*t → **** | c**t → ****
  w@nker → ******
  sh1t → **** | 5h1t → **** | $hit → **** | sh!t! → ****! | shiiiit → ******* | s h 1 t → * * * *
  shit,mate → ****,mate
  you are a t w a t → you are a * * * * | BigDick69 → ********* | big_dick_69 → big_****_69 | bell-end → ****-***
  DICKHEAD FRANCIS → ******** FRANCIS | wanker Dick Francis → ****** Dick Francis | C U N T → * * * * | c*nts → *****
  Tip: Arsenal, you wankers! 11/10 → Tip: Arsenal, you *******! 11/10 | hijo de puta → **** ** ****
  Scunthorpe cunts → Scunthorpe *****
  🅵uck this → **** this | n.i.g.g.e.r → *.*.*.*.*.* | n****r → ****** | a$$ → *** | @ss → ***
  fuck&shit → ****&**** | shit*mate → ********* | mate*shit → *********
`).map((row) => row.split(' → ') as [string, string])

const RUDE = rows(`
  fuck | FUCK | fucking | fucker | fuck3r | fuck1ng | fcuk | phuck | fvck | clusterfuck | fuckwit | motherfuckers
  fuc king ref
  ꜰᴜᴄᴋ | fuçk | fцck | f?ck | f%ck | fu** | shit | Shithead | bull-shit | s.h.i.t | shitty | shitting | Shite
  gobshite | shiit
  ſhit | cunt | cunts | cuuunt | сunt | cu nt | c.u.n.t | wanker | W A N K E R | w4nk3r | wanking | wanked | Wánker
  youwanker
  wan ker | w a n k er | bollocks | b0ll0cks | bo11ocks | b*llocks | bollox | tosser | t0sser | tosspot | twat
  tw4t | tw@t | TWATS
  bellend | bell end | bell3nd | knobhead | knob head | dickhead | d1ckhead | dick head | Dick Head | d!ck | @dick
  twat123
  arsehole | 4rsehole | arse-hole | asshole | a55hole | a$$hole | minge | slag | slut | s1ut | whore | wh0re | bitch
  b1tch
  b!tches | biiiitch | pussy | pu$$y | c0ck | cocksucker | cock sucker | prick | t1ts | bastard | b4stard | pissed
  piss off
  paki | p4ki | pakis | nigger | n1gg3r | niiiigggger | ni**er | nigga | faggot | f4ggot | f a g | poofter | tranny
  spic | coon
  kike | gook | wog | chinky | retarded | nonce | paedo | rapist | blow job | kill yourself | kurwa | vaffanculo
  madarchod | блядь
  ClassDick | I a m f u c k e d | shit!!!mate | f\u2060u\u2060c\u2060k | FUCK | ＷＡＮＫＥＲ | t͟w͟a͟t͟ | b\u034fitch
`)

const OFFENSIVE = [...RUDE, ...MASKED.map(([text]) => text)]

const length = (text: string) => Array.from(text).length

test('the tables have the expected number of rows', () => {
  expect(new Set(INNOCENT).size).toBeGreaterThanOrEqual(200)
  expect(new Set(RUDE).size).toBeGreaterThanOrEqual(120)
  expect(new Set(MASKED.map(([text]) => text)).size).toBeGreaterThanOrEqual(50)
})

test.each(INNOCENT)('fine: %s', (text) => {
  expect(rules(text)).toEqual({ verdict: 'fine' })
})

test.each(RUDE)('inappropriate: %s', (text) => {
  expect(rules(text)).toEqual({ verdict: 'inappropriate', solution: expect.stringContaining('*') })
})

test.each(MASKED)('masked: %s', (text, solution) => {
  expect(rules(text)).toEqual({ verdict: 'inappropriate', solution })
})

test.each(OFFENSIVE)('the solution for %s is as long and is acceptable itself', (text) => {
  const verdict = rules(text)
  if (verdict.verdict !== 'inappropriate') throw new Error(verdict.verdict)
  expect(length(verdict.solution)).toBe(length(text))
  expect(rules(verdict.solution).verdict).not.toBe('inappropriate')
})

describe('ancillary', () => {
  test.each([
    '',
    ' ',
    '\n\t',
    '...',
    '?!',
    '***',
    '- / -',
    '🔥',
    '👨‍👩‍👧‍👦',
    '🇬🇧',
    '❤️',
    '\u0301\u0308',
    '\u200d',
    '\u200b\u2060',
    '\u3164',
    '£$%',
  ])('%j is ancillary', (text) => expect(rules(text)).toEqual({ verdict: 'ancillary' }))

  test.each(['a', '7', '½', '٣', '५', '日本', '한국', 'Ελλάδα', 'привет', 'مرحبا', 'ไทย', '🔥 1', '!x!', 'Ⅷ', '𐌰'])(
    '%j is not ancillary',
    (text) => expect(rules(text)).toEqual({ verdict: 'fine' }),
  )
})

describe('the operator’s own words', () => {
  const own = textRules({
    blocked: ['ScamTips', 'free money', 'spam.example', 'bet365', 'ist', '老千', 'Zoë', '', '$$$'],
    allowed: ['wanker', 'Cock Lane', 'Slag United v Twat Rovers', 'Free Money Stakes'],
  })
  const solution = (text: string) => {
    const verdict = own(text)
    return verdict.verdict === 'inappropriate' ? verdict.solution : verdict.verdict
  }

  test.each([
    ['join scamtips now', 'join ******** now'],
    ['SCAMTIPS', '********'],
    ['sc4mt1ps', '********'],
    ['s c a m t i p s', '* * * * * * * *'],
    ['ｓｃａｍｔｉｐｓ', '********'],
    ['scamtipsss', '**********'],
    ['scam-tips', '****-****'],
    ['Free Money here', '**** ***** here'],
    ['free-money', '****-*****'],
    ['fr33 m0ney', '**** *****'],
    ['see spam.example', 'see ****.*******'],
    ['Bet365 is better', '****** is better'],
    ['他是老千吗', '*****'],
    ['zoe', '***'],
    ['scamtips for twats', '******** for *****'],
  ])('blocked: %s', (text, masked) => expect(solution(text)).toBe(masked))

  test.each(['scamtipster', 'money is free', 'free. money', '1st', 'scam tips', '$$$ won'])(
    'not blocked: %s',
    (text) => {
      expect(solution(text)).toBe('fine')
    },
  )

  test.each([
    'wanker',
    'Wanker!',
    'wankers',
    'Cock Lane',
    'at cock lane, 2pm',
    'Slag United v Twat Rovers',
    'Twat Rovers win',
  ])('allowed: %s', (text) => expect(solution(text)).toBe('fine'))

  test('a name protects its own words only, and only as it is written', () => {
    expect(solution('Cock Lane cock')).toBe('Cock Lane ****')
    expect(solution('Lane cock')).toBe('Lane ****')
    expect(solution('w4nker')).toBe('******')
    expect(solution('Free Money Stakes has no free money')).toBe('Free Money Stakes has no **** *****')
  })

  test('the lists of one operator do not affect another', () => {
    expect(rules('scamtips')).toEqual({ verdict: 'fine' })
    expect(rules('wanker').verdict).toBe('inappropriate')
  })
})

describe('the time grows linearly with the text', () => {
  const index = compileWords(BUILT_IN_WORDS)
  const stepsFor = (text: string): number => {
    const tally = { steps: 0 }
    findWords(index, parseText(text), tally)
    return tally.steps
  }
  const fill = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size)

  test.each([
    'f',
    'fu',
    'fuc',
    'f ',
    'f u c ',
    'f*',
    'c**',
    'fu-',
    'fu ck ',
    'ni',
    'nigge',
    'asshol',
    'a.',
    '1',
    '1!',
    'a1',
    '@$',
    'bell ',
    'son of a ',
    'sh1',
    'fUcK',
    'Dick ',
    '*',
    'x_',
    "f'",
  ])('filled with %j', (unit) => {
    const [single, double, quadruple] = [900, 1800, 3600].map((size) => stepsFor(fill(unit, size)))
    expect(double).toBeLessThanOrEqual(single! * 2.1 + 100)
    expect(quadruple).toBeLessThanOrEqual(single! * 4.2 + 100)
    expect(single).toBeLessThanOrEqual(900 * 120)
  })
})

describe('any text', () => {
  const fragment = fc.constantFrom(
    ...OFFENSIVE,
    ...INNOCENT.slice(0, 60),
    ' ',
    '.',
    '*',
    '-',
    '\u200b',
    '\u0301',
    '1',
    'a',
    'F',
    '🔥',
  )
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join('')),
  )

  test('gets a verdict, and a solution differs from it by stars only', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const verdict = rules(text)
        if (verdict.verdict !== 'inappropriate') return
        const [before, after] = [Array.from(text), Array.from(verdict.solution)]
        expect(after).toHaveLength(before.length)
        expect(after.every((point, at) => point === '*' || point === before[at])).toBe(true)
        expect(verdict.solution).not.toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  test('without letters and digits is ancillary, with one of them is not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(rules(text).verdict === 'ancillary').toBe(!/[a-z0-9]/i.test(text))
      }),
    )
  })
})
