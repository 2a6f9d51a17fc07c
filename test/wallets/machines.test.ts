// Each machine is one table (src/wallets/**/machine.ts): the triggers of both engines, the diagrams in the documents and the statements
// that change a state say the same. UPDATE_DIAGRAMS=1 writes the diagrams again.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { EVENT_KINDS } from '../../src/operator/events/event-kinds.ts'
import { TRANSFERS } from '../../src/wallets/account/ledger-store.ts'
import { DEPOSIT_MACHINE } from '../../src/wallets/deposits/machine.ts'
import { DEPOSIT_STATES } from '../../src/wallets/deposits/store.ts'
import { DISPUTE_STATES } from '../../src/wallets/disputes/events.ts'
import { DISPUTE_MACHINE } from '../../src/wallets/disputes/machine.ts'
import { canMove, IllegalMove, legalMoves, type Machine, nextState } from '../../src/wallets/machine.ts'
import { REFUND_MACHINE } from '../../src/wallets/refunds/machine.ts'
import { REFUND_STATES } from '../../src/wallets/refunds/store.ts'
import { PART_MACHINE, WITHDRAWAL_MACHINE } from '../../src/wallets/withdrawals/machine.ts'
import { PART_STATES } from '../../src/wallets/withdrawals/part-store.ts'
import { WITHDRAWAL_STATES } from '../../src/wallets/withdrawals/store.ts'
import { allStatements } from '../database/statements.ts'

type Described = {
  readonly machine: Machine<string, string>
  readonly states: readonly string[]
  readonly document: string
}

/** By their tables. */
const MACHINES: Readonly<Record<string, Described>> = {
  deposit: { machine: DEPOSIT_MACHINE, states: DEPOSIT_STATES, document: 'deposits' },
  refund: { machine: REFUND_MACHINE, states: REFUND_STATES, document: 'refunds' },
  dispute: { machine: DISPUTE_MACHINE, states: DISPUTE_STATES, document: 'refunds' },
  withdrawal: { machine: WITHDRAWAL_MACHINE, states: WITHDRAWAL_STATES, document: 'withdrawals' },
  withdrawal_part: { machine: PART_MACHINE, states: PART_STATES, document: 'withdrawals' },
}
const TABLES = Object.keys(MACHINES)
const of = (table: string) => MACHINES[table] as Described

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

describe.each(['sqlite', 'postgres'])('the triggers of %s', (engine) => {
  const schema = read(`migrations/schema.${engine}.txt`)

  test.each(TABLES)('let a %s make the moves of its machine, and no other', (table) => {
    const trigger =
      schema.split(/^(?=create )/im).find((one) => one.toLowerCase().startsWith(`create trigger ${table}_moves `)) ?? ''
    const { machine } = of(table)
    const stays = machine.flatMap(({ from, to }) => (from.includes(to) ? [`${to}>${to}`] : []))
    // The others say themselves that a state may stay.
    const listed =
      table === 'deposit' ? [...new Set([...legalMoves(machine), ...stays])].toSorted() : legalMoves(machine)
    expect([...trigger.matchAll(/'([A-Z_]+>[A-Z_]+)'/g)].map(([, move]) => move).toSorted()).toEqual(listed)
    expect(trigger).toMatch(table === 'deposit' ? /trigger/i : /old\.state <> new\.state/)
  })
})

describe.each(TABLES)('the machine of a %s', (table) => {
  const { machine, states } = of(table)

  test('knows every state, kinds of transfers and kinds of events', () => {
    expect(new Set(machine.flatMap(({ from, to }) => [...from, to]))).toEqual(new Set(states))
    const transfers = machine.flatMap((move) => move.transfers ?? [])
    expect(transfers.filter((kind) => !Object.hasOwn(TRANSFERS, kind))).toEqual([])
    const logged = machine.flatMap(({ log }) => log || [])
    expect(logged.filter((kind) => !(EVENT_KINDS as readonly string[]).includes(kind))).toEqual([])
  })

  test('leads from a state by an event to one state', () => {
    const pairs = machine.flatMap(({ event, from }) => from.map((state) => `${state} ${event}`))
    expect(pairs).toHaveLength(new Set(pairs).size)
  })

  test('refuses a move that it does not have', () => {
    const events = [...new Set(machine.map(({ event }) => event))]
    const missing = states.flatMap((state) =>
      events.filter((event) => !canMove(machine, state, event)).map((event) => [state, event]),
    )
    for (const [state = '', event = ''] of missing) {
      expect(() => nextState(machine, state, event), `${state} ${event}`).toThrow(IllegalMove)
    }
  })
})

// ---- Statements

/** Those with a state as a parameter are run with one that the machine gave. */
const BY_MACHINE = [
  'changeDispute',
  'changePart',
  'changeRefund',
  'setCaptured',
  'setReview',
  'setVoided',
  'setWithdrawalState',
]

test('every statement that changes a state makes a move of its machine', async () => {
  const found = (await allStatements()).map(({ statement }) => statement)
  const byParameter = new Set<string>()
  const byText: string[] = []
  for (const { name, sql } of found) {
    const [, table = '', to = '', rest = ''] = /\bupdate (\w+) set state = (\S+?),?\s([\s\S]*)/.exec(sql) ?? []
    if (MACHINES[table] === undefined) continue
    if (!/^'[A-Z_]+'$/.test(to)) byParameter.add(name)
    else byText.push(...movesOf(rest, to).map((move) => `${table} ${move}`))
  }
  expect([...byParameter].toSorted()).toEqual(BY_MACHINE)
  expect(byText.length).toBeGreaterThan(8)
  const legal = TABLES.flatMap((table) => legalMoves(of(table).machine).map((move) => `${table} ${move}`))
  expect(byText.filter((move) => !legal.includes(move))).toEqual([])
})

/** From the states that the text names: `where … state = 'A'` or `state in ('A', 'B')`. */
function movesOf(rest: string, to: string): string[] {
  const [, states = ''] = /\bstate (?:= |in )\(?('[A-Z_]+'(?:, '[A-Z_]+')*)/.exec(rest) ?? []
  expect(states, rest).not.toBe('')
  return states.split(', ').map((from) => `${from}>${to}`.replaceAll("'", ''))
}

test.each(BY_MACHINE)('%s is run with a state of the machine', (name) => {
  const folder = new URL('../../src/wallets/', import.meta.url)
  const callers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('store.ts'))
    .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }))
    .filter(({ text }) => new RegExp(`\\(\\s*(sql\\.)?${name}\\b`).test(text))
  expect(callers.length).toBeGreaterThan(0)
  const isByMachine = ({ text }: { text: string }) => /\bnextState\(|\bLEGAL\.includes\(/.test(text)
  expect(callers.filter((one) => !isByMachine(one)).map(({ file }) => file)).toEqual([])
})

// ---- Diagrams

/** States in the order of the machine; a move that stays is not drawn. */
function diagramOf(table: string): string {
  const events = new Map<string, string[]>()
  for (const { event, from, to } of of(table).machine) {
    for (const state of from) {
      if (state !== to) events.set(`${state} --> ${to}`, [...(events.get(`${state} --> ${to}`) ?? []), event])
    }
  }
  const arrows = [...events].map(([arrow, names]) => `  ${arrow}: ${names.join(', ')}`)
  return ['```mermaid', 'stateDiagram-v2', ...arrows, '```'].join('\n')
}

test.each(TABLES)('the document shows the machine of a %s', (table) => {
  const path = `docs/${of(table).document}.md`
  const [begin, end] = [`<!-- states of a ${table}: test/wallets/machines.test.ts -->`, '<!-- end -->']
  const before = read(path)
  const from = before.indexOf(begin)
  expect(from, `${path} has the line ${begin}`).toBeGreaterThan(0)
  const until = before.indexOf(end, from)
  const shown = `${begin}\n${diagramOf(table)}\n`
  if (process.env.UPDATE_DIAGRAMS) {
    writeFileSync(new URL(`../../${path}`, import.meta.url), before.slice(0, from) + shown + before.slice(until))
  }
  expect(read(path).slice(from, from + shown.length)).toBe(shown)
})
