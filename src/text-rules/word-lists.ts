// The built-in words. Lists are strings, so that a reviewer can read and amend them as prose: single words are separated by
// white space, names and phrases by commas or line ends.

const words = (list: string): string[] => list.split(/\s+/).filter((word) => word !== '')

const lines = (list: string): string[] =>
  list
    .split(/[,\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

export type WordData = {
  /** Found as words of their own; several words make a phrase. */
  standalone: readonly string[]
  /** The same, found with a letter written twice ("biitch") too. Three times is mere emphasis in any word. */
  lengthened: readonly string[]
  /** Found inside longer words too, so there must be next to no innocent word around them. */
  inner: readonly string[]
  /** Found even where white space cuts the word in two ("fu cking"), so the halves must not be words of their own. */
  splittable: readonly string[]
  /** Words whose hidden letters are at the end, as they are usually written. */
  veiled: readonly string[]
}

function inflect(verb: string): string[] {
  const stem = verb.replace(/e$/, '')
  const endings = ['ed', 'er', 'ers', 'in', 'ing', 'ings', 'y']
  return [verb, `${verb}s`, `${verb}es`, ...endings.flatMap((end) => [stem + end, stem + stem.slice(-1) + end])]
}

function plurals(noun: string): string[] {
  const ending = /[sxzho]$/.test(noun) ? ['es'] : []
  const slang = noun.length >= 5 ? ['z'] : []
  return [noun, `${noun.replace(/y$/, 'ie')}s`, ...['s', ...ending, ...slang].map((end) => noun + end)]
}

/** Strong and medium words of British and American English; mild ones (bloody, git, crap, bugger) are left alone. */
const VERBS = words(`
  fuck wank shit piss bollock twat bitch jizz spunk shite
`)

const NOUNS = words(`
  cunt wanker tosser tosspot bellend knobhead knobend knobcheese knobjockey nobhead arsehole arsewipe arselicker
  arsebandit
  asshole asswipe asshat assclown assface asslicker assmunch assmuncher assbandit dumbass fatass jackoff
  bastard twatface twathead twatwaffle slut whore skank clunge punani punany bawbag ballbag ballsack nutsack
  prick prickhead dickhead dickface dickwad dickweed dickbag dickbrain dickpic dicksucker dicklicker
  cockhead cockface cocksucker cockwomble cockblock cockblocker cocklicker cocktease cockgobbler
  shitbag shitface shithead shithole shithouse shithousery shitstain shitstorm shitshow shitfest shitcunt shitlord
  bullshit bullshitter horseshit dipshit gobshite chickenshit pisshead pissflap pisstaker bitchslap sonofabitch
  pussy titty tittyfuck cumshot cumbucket cumdump cumstain cumrag cumguzzler jizzrag spunkbucket
  wankstain wankpuffin wankjob wanksock
  blowjob handjob rimjob gangbang gangbanger creampie bukkake deepthroat deepthroater dildo buttplug buttfucker
  vagina clitoris pornstar pornhub orgasm paedophile pedophile kiddyfiddler rapist molester retard spastic libtard
  nigger nigga niggah niggaz niggar nigguh niglet nignog golliwog gollywog jigaboo sandnigger raghead towelhead
  camelfucker
  pikey gyppo gippo chinky chinkie zipperhead kaffir wetback beaner negroid
  faggot poofter poofta shirtlifter bumboy bumbandit battyboy battyman lezzer lezza lezbo carpetmuncher fudgepacker
  bulldyke
  tranny trannie shemale motherfucker muthafucka
  pickaninny piccaninny spearchucker wigger kyke jewboy porchmonkey junglebunny currymuncher chingchong slanteye
  masturbator schlong poontang cameltoe whorehouse camwhore assmonkey asslick jackshit jerkoff
  arschloch hurensohn wichser fotze schlampe schwuchtel missgeburt scheisse stronzo stronza puttana coglione frocio
  connard connasse salope pendejo gilipollas maricon chutiya madarchod bhenchod behenchod bhosdike klootzak orospu
`)

/** Nouns a letter away from names and ordinary words (raped and rapped, Jap and Jaap). */
const NOUNS_AS_WRITTEN = words(`
  arse knob dick cock minge slag tit cum clit penis porn porno orgy milf gilf nonce paedo pedo spaz spazz spacker
  coon darkie darky wog wop dago paki gook kike hymie yid spic kraut jap boong injun fag fagot poof homo mofo
`)

const EXACT = [
  ...words(`
    ass asses lesbo anal anus semen rape raped raping rapes rapey chink chinks cums cumming cummed jizzed
    fck fcuk fcking fckin fcked fcker fuking fukin fuked fuker fukers fukoff fukker fukking fkn fking fkin fookin
    fooking fooker
    fvck fvcking fucc fuxk fucl fack facked facking phuck phucker phucking phuk phuking phuked fuq
    masturbate masturbates masturbated masturbating masturbation fellatio cunnilingus felching queef fisting
    doggystyle upskirt
    pornography goatse suckmydick suckmycock shitforbrains pissoff
    slutty skanky retarded whoring whored bitchez niggur niggor
    shlt dlck dlckhead bltch nlgger siut
    biatch biotch beeatch beyotch shyte shiet shitass shitfaced shithoused shittest shittier apeshit batshit
    bullshitting
    cnut cnuts cunty kunt kunts wnaker wankah wanka wankas bollox bollix ballocks bolloks bollocksed
    twatish dickish dickheaded cocksucking cocksuckers asslicking arselicking motherfuckin
    pusy pussies titties titts tittys orgies paedophilia pedophilia paedophilic pedophilic noncing bestiality
    necrophilia incest
    gyppos dagoes spics pakis trannies hitler kys
    putain encule enculer vaffanculo cazzo merde caralho fodase boceta buceta chingada chingar cabron
    kurwa kurwy chuj pierdol pierdole pierdolony spierdalaj jebac jebany skurwysyn skurwysyny
    blyat blyad pizda pizdec pidor pidoras mudak muie siktir vittu fitta
    блять блядь пиздец пизда пидор пидорас хуй хуйня ебать мудак
  `),
  ...lines(`
    dick head, knob head, bell end, arse hole, ass hole, tit head, cock sucker, cock sucking, cock head, shit head
    piss head, ball bag, ball sack, nut sack, baw bag
    blow job, hand job, rim job, gang bang, cum shot, butt plug, jerk off, jerking off
    deep throat, golden shower, beef curtains, fanny flaps, camel toe
    kiddy fiddler, kiddie fiddler, child molester, kiddy porn
    ching chong, nig nog, sand monkey, porch monkey, jungle bunny, camel jockey, curry muncher, towel head, rag head
    slant eye, half caste, zipper head, white power, sieg heil, heil hitler, gas the jews
    batty boy, batty man, bum boy, bum bandit, arse bandit, shirt lifter, fudge packer, pillow biter, carpet muncher
    chi chi man, rug muncher
    kill yourself, kill your self, kill urself
    hijo de puta, hija de puta, hijos de puta, puta madre, filho da puta, fils de pute, nique ta mere, ta gueule
    figlio di puttana, porco dio, orospu cocugu, kos omak, kuss ummak, cyka blyat, suka blyat
  `).flatMap(plurals),
]

export const BUILT_IN_WORDS: WordData = {
  lengthened: [...VERBS.flatMap(inflect), ...NOUNS.flatMap(plurals)],
  standalone: [...NOUNS_AS_WRITTEN.flatMap(plurals), ...EXACT],
  inner: words(`
    fuck cunt nigger faggot wanker wanking bollock arsehole asshole dickhead knobhead bullshit cocksuck shithead blowjob
    paedophil pedophil
  `),
  splittable: words(`
    fuck fucks fucked fucker fuckers fucking fuckin motherfucker motherfuckers motherfucking
    cunt cunts cunting nigger niggers nigga niggas wanker wankers wanking
  `),
  veiled: words(`
    f*** f**** fu** fuc* fuc** c*** c**** cu** cun* cun** s*** sh** shi* shi** tw** twa* b**** bit** bitc*
    n***** ni**** nig*** nigg** nigge* w*****
  `),
}

/** Names and sayings that hold a word of the lists above. A longer name protects only the words inside it. */
export const INNOCENT: readonly string[] = [
  ...words(`
    Scunthorpe Twatt Shiite noob noobs snigger sniggers sniggered sniggering sniggerer niggard niggards niggardly
    niggardliness swanker swankers swanking spunky sniggeringly
  `),
  ...lines(`
    Dick Francis, Dick Turpin, Dick Advocaat, Dick Hern, Dick Van Dyke, Dick Whittington, Dick Tracy, Dick Cheney
    Dick Dastardly
    Dick Fosbury, Dick Button, Dick Butkus, Dick Saunders, Dick Taverne, Dick Emery, Dick Clark, Dick Kerr
    Dick Weber, Dick Vitale
    Dick Johnson, Dick Campbell, Dick Hollinshead, Dick Jol, Dick Schofield, Dick Savitt, Dick Allen, Dick Norman
    Dick Barton
    Dick Clement, Dick Wolf, Dick Whitman, Dick Grayson, Dick Pound, Dick Strawbridge, Dick and Dom, Dick Pope
    Dick Enberg
    Dick Bate, Dick Krzywicki, Dick Malone, Dick Gregory, Dick Pym, Dick Nanninga, Dick Vermeil
    Moby Dick, Philip K Dick, Andy Dick, Alistair Dick, Cressida Dick, spotted dick, Tom Dick and Harry
    Tom Dick or Harry
    every Tom Dick, Deadeye Dick, clever dick, Julian Dicks, Terry Dicks
    tit for tat, blue tit, blue tits, great tit, coal tit, coal tits, marsh tit, willow tit, bearded tit, crested tit
    long tailed tit
    Titty Ho
    Chorlton cum Hardy, Stow cum Quy, Shingay cum Wendy, Hockwold cum Wilton, Haldwani cum Kathgodam, cum laude
    cum dividend, cum div, Alan Cumming, Cumming Georgia
    player cum manager, player cum coach
    cock a hoop, cock of the north, cock o the north, cock and bull, Cock and Bottle, Cock Inn, Cock Tavern
    cock crow, cock pheasant
    cock robin, cock sparrow, Cock Marsh, Famous Cock, game cock, fighting cocks, fighting cock, weather cock
    cock a leekie, cock crows
    Cock Hotel
    Semen Padang, Semen Slepakov, Semen Elistratov, Semen Zhukov
    Kike Garcia, Kike Salas, Kike Perez, Kike Barja, Kike Hermoso, Kike Sola, Kike Burgos, Kike Saverio
    chink in, chinks in, chink of, chinks of
    prick up, pricks up, prick his ears, prick her ears, prick its ears, prick their ears, pricks his ears
    pricks her ears
    pricks its ears, pin prick, pin pricks
    Yorkeys Knob, Bald Knob, Shell Knob, Knob Noster, Coon Rapids, Tit Mellil, Wadi Fukin
    door knob, door knobs, knob of butter, knob and tube, slag heap, slag heaps
    pussy cat, pussy cats, pussy willow, Pussy Riot, Pussy Galore
    oilseed rape, oil seed rape, rape seed, rape seeds, Rape of Lucrece, Rape of Hastings, Rape of Bramber
    for the nonce, faggots and peas, homo sapiens, homo erectus, Maine Coon, Maine Coons, doo wop, kaffir lime
    kaffir leaves
    Chris Coons, ass and cart, wild ass, wild asses, asses and mules, ox and ass, ass manager, ass coach, ass ref
    Balaam s ass, Bell End Worcestershire, Bell End Rowley Regis
    Bastard cabbage, Bastard Toadflax, bastard trenching
  `),
]
