// Checks the leaves of a log against each other: each profile's tips are numbered without a gap, figures follow from their terms,
// and each tip is now as its last leaves record it.

import { figuresOfTip, RESULTS, type Result } from '../record/figures.ts'
import { statusOfResult } from '../record/result-status.ts'
import { parseFraction, parseLeaf, points } from './leaf.ts'

/** What a tip is now. */
type TipNow = {
  readonly status: string
  readonly state: string
  readonly grade: string
  readonly staked: string
  readonly profit: string
  readonly inPlay: string
}

/** An entry as callers see it, with what the tip is now. */
export type VerifiedEntry = { readonly index: number; readonly leaf: string } & {
  readonly [name in keyof TipNow]?: string | undefined
}

type Values = ReadonlyMap<string, string>

type Tip = {
  readonly index: number
  readonly profile: string
  readonly price: string
  readonly eachWay: string
  /** By its last leaves. */
  logged: TipNow
  now: TipNow
}

const NEW_TIP: TipNow = { status: 'A', state: 'live', grade: '-', staked: '-', profit: '-', inPlay: '-' }

/** The tips of one profile that counted, before the start. Profit in millionths of a point. */
export type LeafRecord = {
  readonly tips: number
  readonly settled: number
  readonly won: number
  readonly staked: number
  readonly profit: number
}

export function leafReader() {
  const tips = new Map<string, Tip>()
  const profiles = new Map<string, number>()
  const problems: string[] = []

  function readTip(entry: VerifiedEntry, values: Values): void {
    const [id = '', profile = ''] = [values.get('id'), values.get('profile')]
    const { index } = entry
    const before = profiles.get(profile) ?? 0
    const number = Number(values.get('number'))
    if (tips.has(id)) problems.push(`Entry ${index}: tip ${id} is in the log twice.`)
    if (number !== before + 1) {
      problems.push(
        `Entry ${index}: tip ${id} is number ${values.get('number')} of profile ${profile}, after number ${before}: a tip was left out, or put in later.`,
      )
    }
    profiles.set(profile, number)
    const [price = '', eachWay = ''] = [values.get('price'), values.get('eachWay')]
    tips.set(id, { index, profile, price, eachWay, logged: NEW_TIP, now: nowOf(entry) })
  }

  function readChange(index: number, kind: string, values: Values): void {
    const id = values.get('tip') ?? ''
    const tip = tips.get(id)
    if (tip === undefined) {
      problems.push(`Entry ${index} names tip ${id}, which is not in the log before it.`)
      return
    }
    tip.logged = { ...tip.logged, ...changeOf(kind, values) }
    if (kind === 'settlement' && !followsFromTerms(tip, values)) {
      problems.push(`Entry ${index}: the figures of tip ${id} do not follow from its price and its result.`)
    }
  }

  return {
    problems,
    /** In the order of the log, each once. */
    read(entry: VerifiedEntry): void {
      const { kind, values } = parseLeaf(entry.leaf) ?? NO_LEAF
      if (kind === 'tip') readTip(entry, values)
      else if (kind === 'settlement' || kind === 'state') readChange(entry.index, kind, values)
      else problems.push(`Entry ${entry.index} is neither a tip nor a change of one.`)
    },
    /** An entry that was read again: what the tip is may have changed. */
    update(entry: VerifiedEntry): void {
      const { kind, values } = parseLeaf(entry.leaf) ?? NO_LEAF
      const tip = kind === 'tip' ? tips.get(values.get('id') ?? '') : undefined
      if (tip !== undefined) tip.now = nowOf(entry)
    },
    /** The tips that now differ from their last leaves. */
    differing: (): string[] => [...tips].flatMap(([id, tip]) => (differenceOf(tip) === '' ? [] : [id])),
    differenceOf: (id: string): string => `Tip ${id}: ${differenceOf(tips.get(id) as Tip)}.`,
    indexOf: (id: string): number => tips.get(id)?.index ?? 0,
    counts: () => ({ tips: tips.size, profiles: profiles.size }),
    recordOf: (profile: string): LeafRecord => recordOf([...tips.values()].filter((tip) => tip.profile === profile)),
  }
}

export type LeafReader = ReturnType<typeof leafReader>

const NO_LEAF = { kind: '', values: new Map<string, string>() }

function nowOf({ status, state, grade, staked, profit, inPlay }: VerifiedEntry): TipNow {
  return {
    status: status ?? '-',
    state: state ?? '-',
    grade: grade ?? '-',
    staked: staked ?? '-',
    profit: profit ?? '-',
    inPlay: inPlay ?? '-',
  }
}

function changeOf(kind: string, values: Values): Partial<TipNow> {
  const given = (name: string) => values.get(name) ?? '-'
  if (kind === 'state') return { state: given('state') }
  const result = values.get('result')
  return {
    status: statusOfResult(isResult(result) ? result : null),
    grade: given('grade'),
    staked: given('staked'),
    profit: given('profit'),
    inPlay: given('inPlay'),
  }
}

/** Empty: the tip matches its leaves. */
function differenceOf({ logged, now }: Tip): string {
  const names = Object.keys(logged) as (keyof TipNow)[]
  const wrong = names.filter((name) => now[name] !== logged[name])
  return wrong.map((name) => `its ${name} is ${now[name]}, the log says ${logged[name]}`).join('; ')
}

function isResult(result: string | undefined): result is Result {
  return RESULTS.some((one) => one === result)
}

/** A tip that does not count has no figures. */
function followsFromTerms(terms: Pick<Tip, 'price' | 'eachWay'>, settlement: Values): boolean {
  const [grade, result] = [settlement.get('grade'), settlement.get('result')]
  if (grade === '-') return true
  if (!isResult(result)) return false
  const figures = figuresOfTip(
    { price: parseFraction(terms.price), eachWay: parseFraction(terms.eachWay) },
    {
      result,
      deadHeat: parseFraction(settlement.get('deadHeat')),
      placeDeadHeat: parseFraction(settlement.get('placeDeadHeat')),
      rule4: Math.round(Number(settlement.get('rule4')) * 100),
      startingPrice: parseFraction(settlement.get('startingPrice')),
      closing: null,
    },
    false,
  )
  return (
    figures !== null &&
    figures.grade === grade &&
    `${figures.stake}` === settlement.get('staked') &&
    points(figures.profit) === settlement.get('profit')
  )
}

function recordOf(tips: readonly Tip[]): LeafRecord {
  const counted = tips.map(({ logged }) => logged).filter(({ grade, inPlay }) => grade !== '-' && inPlay === 'N')
  return {
    tips: tips.length,
    settled: counted.length,
    won: counted.filter(({ grade }) => grade === 'W').length,
    staked: counted.reduce((sum, { staked }) => sum + Number(staked), 0),
    profit: counted.reduce((sum, { profit }) => sum + Math.round(Number(profit) * 1e6), 0),
  }
}
