// The leaves of the log: texts of one line, `name=value` pairs separated by a space. `-` stands for what is not there.

import { hash } from 'node:crypto'
import { isoTime } from '../platform/runtime/iso-time.ts'
import type { Fraction, Grade } from '../record/figures.ts'
import type { FractionColumns, OutcomeResultColumns, TermColumns } from '../record/terms.ts'

export type EntryKind = 'tip' | 'settlement' | 'state'

/** A tip, by the columns of its comment. */
export type TipRow = TermColumns &
  FractionColumns<'price'> & {
    comment_id: number
    author_id: number
    outcome_id: number
    sport_id: number
    bet_id: number
    linked_id: number | null
    starting_price: number
    created_at: number
  }

/** `number`: which of the profile's tips it is in the log. `textHash`: see textHashOf. */
export function tipLeaf(tip: TipRow, number: number, textHash: string): string {
  return line('tip', {
    id: tip.comment_id,
    profile: tip.author_id,
    number,
    outcome: tip.outcome_id,
    sport: tip.sport_id,
    bet: tip.bet_id,
    linked: tip.linked_id,
    given: fraction(tip.price_num, tip.price_den),
    givenAtStartingPrice: yesNo(tip.starting_price),
    price: fraction(tip.record_num, tip.record_den),
    atStartingPrice: yesNo(tip.record_sp),
    eachWay: fraction(tip.each_way_num, tip.each_way_den),
    created: time(tip.created_at),
    text: textHash,
  })
}

/** Salted, so that a text that was erased cannot be found by trying. */
export function textHashOf(salt: string, text: string): string {
  return hash('sha256', Buffer.concat([Buffer.from(salt, 'hex'), Buffer.from(text)]), 'hex')
}

/** A settled tip: the result of its outcome, and its figures if it counts. */
export type SettlementRow = OutcomeResultColumns & {
  comment_id: number
  settled_at: number | null
  grade: Grade | null
  stake: number | null
  profit: number | null
  in_play: number | null
}

export function settlementLeaf(row: SettlementRow): string {
  return line('settlement', {
    tip: row.comment_id,
    result: row.result,
    deadHeat: fraction(row.dead_heat_num, row.dead_heat_den),
    placeDeadHeat: fraction(row.place_dead_heat_num, row.place_dead_heat_den),
    rule4: (row.rule4 / 100).toFixed(2),
    startingPrice: fraction(row.sp_num, row.sp_den),
    closing: fraction(row.closing_num, row.closing_den),
    settled: row.settled_at === null ? null : isoTime(row.settled_at),
    grade: row.grade,
    staked: row.stake,
    profit: row.profit === null ? null : points(row.profit),
    inPlay: row.in_play === null ? null : yesNo(row.in_play),
  })
}

export function stateLeaf(tip: number, state: string, at: number): string {
  return line('state', { tip, state, at: isoTime(at) })
}

/** Millionths of a point, written with six decimals. */
export function points(millionths: number): string {
  const digits = `${Math.abs(millionths)}`.padStart(7, '0')
  return `${millionths < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

function line(kind: EntryKind, values: { readonly [name: string]: string | number | null }): string {
  return [kind, ...Object.entries(values).map(([name, value]) => `${name}=${value ?? '-'}`)].join(' ')
}

function fraction(num: number | null, den: number | null): string {
  return num === null && den === null ? '-' : `${num ?? '-'}/${den ?? '-'}`
}

/** A row that was changed by hand may hold a time that no date can have. */
function time(milliseconds: number): string {
  return Number.isNaN(new Date(milliseconds).getTime()) ? `${milliseconds}` : isoTime(milliseconds)
}

function yesNo(flag: number): string {
  return flag === 0 ? 'N' : flag === 1 ? 'Y' : `${flag}`
}

// ---- Reading leaves

/** undefined: it is no leaf. */
export function parseLeaf(leaf: string): { kind: string; values: ReadonlyMap<string, string> } | undefined {
  const [kind = '', ...pairs] = leaf.split(' ')
  const values = new Map<string, string>()
  for (const pair of pairs) {
    const [, name, value] = /^(\w+)=(.+)$/.exec(pair) ?? []
    if (name === undefined || value === undefined || values.has(name)) return undefined
    values.set(name, value)
  }
  return { kind, values }
}

/** null: not there. */
export function parseFraction(text: string | undefined): Fraction | null {
  const [, num, den] = /^(\d+)\/(\d+)$/.exec(text ?? '') ?? []
  return num === undefined || den === undefined ? null : { num: Number(num), den: Number(den) }
}
