// Whatever is committed must be what the model makes of one of the things that were asked, answered or told: state, sums, answer, and
// where money may go afterwards.

import { readOptions } from '../../src/wallets/withdrawals/read.ts'
import { illegalMoves } from './legal-moves.ts'
import { available, keptBack, optionOf } from './model/claims.ts'
import { type Customer, copyOf } from './model/customer.ts'
import { linesOf } from './model/lines.ts'
import { dueMoves } from './moves.ts'
import type { Played, Player } from './played.ts'
import { readStored } from './stored.ts'

/** What the service is asked, answered or told. */
export type Input = {
  readonly what: string
  readonly player: Player
  /** Returns what is answered, if somebody is. */
  apply(model: Customer): string | undefined
  /** What was captured by several answers is recorded together. */
  readonly isCapture?: boolean
  /** It may come too late to change anything. */
  readonly mayBeIgnored?: boolean
}

/** One request, notification or sweep of a process. */
export type Run = {
  readonly now: () => number
  /** What its next transaction must do; null: it is a sweep, and does what is due. */
  expected: Input | null
  /** What the model answers. */
  predicted: string | null
  /** What it answers if no transaction follows: by what is there when the service reads it. */
  read?: () => string
  /** What the gateway has answered, and is to be recorded. */
  readonly answers: Set<Input>
  /** Those that would have changed nothing at some moment since they came. */
  readonly harmless: Set<Input>
}

export function newRun(now: () => number, expected: Input | null): Run {
  return { now, expected, predicted: null, answers: new Set(), harmless: new Set() }
}

/** After each transaction. `hasWritten`: else nothing can have changed. */
export async function observe(played: Played, run: Run, hasWritten: boolean): Promise<void> {
  if (played.found.length > 0) return
  const changed = hasWritten ? await readChanged(played) : []
  const { expected } = run
  run.expected = null
  if (expected !== null) {
    const model = after(expected.player, run, [expected])
    run.predicted = model.answer
    await adopt(played, expected.player, model.customer, [expected.what])
  }
  for (const input of run.answers) {
    if (!input.mayBeIgnored && changesNothing(run, input)) run.harmless.add(input)
  }
  for (const player of changed) {
    if (player === expected?.player) continue
    const inputs = findInputs(player, run)
    if (inputs === null) played.found.push(unexplained(player, run))
    else {
      for (const input of inputs) run.answers.delete(input)
      await adopt(
        played,
        player,
        after(player, run, inputs).customer,
        inputs.map(({ what }) => what),
      )
    }
  }
}

function changesNothing(run: Run, input: Input): boolean {
  return linesOf(after(input.player, run, [input]).customer).join('\n') === linesOf(input.player.model).join('\n')
}

/** Those of whom something else is stored than before. */
async function readChanged({ world, players }: Played): Promise<Player[]> {
  const stored = await readStored(
    world.context.database,
    players.map(({ id }) => id),
  )
  return players.filter((player) => {
    const now = stored.get(player.id) ?? player.stored
    const isChanged = now.lines.join('\n') !== player.stored.lines.join('\n')
    player.stored = now
    return isChanged
  })
}

function after(player: Player, run: Run, inputs: readonly Input[]): { customer: Customer; answer: string } {
  const customer = copyOf(player.model)
  customer.now = run.now()
  let answer = ''
  for (const input of inputs) answer = input.apply(customer) ?? ''
  return { customer, answer }
}

function findInputs(player: Player, run: Run): Input[] | null {
  const answers = [...run.answers].filter((input) => input.player === player)
  const captures = answers.filter(({ isCapture }) => isCapture)
  const candidates = captures.length > 1 ? [captures] : []
  candidates.push(...answers.map((one) => [one]), ...dueMoves(player, run.now()).map((one) => [one]))
  const stored = player.stored.lines.join('\n')
  return candidates.find((inputs) => linesOf(after(player, run, inputs).customer).join('\n') === stored) ?? null
}

function unexplained(player: Player, run: Run): string {
  const answers = [...run.answers].filter((input) => input.player === player).map(({ what }) => what)
  const difference = differences(player, player.model)
  return `nothing explains what is stored now of customer ${player.id}, of ${answers.join(' or ') || 'no answer'}:\n${difference}`
}

async function adopt(played: Played, player: Player, model: Customer, whats: readonly string[]): Promise<void> {
  const before = player.model
  player.model = model
  played.history.push(`customer ${player.id}: ${whats.join(' and ')}`)
  const difference = differences(player, model)
  if (difference !== '') {
    played.found.push(`after ${whats.join(' and ')} of customer ${player.id}:\n${difference}`)
    return
  }
  const [old, lines] = [linesOf(before), linesOf(model)]
  if (old.join('\n') === lines.join('\n')) return
  const illegal = illegalMoves(old, lines)
  if (illegal.length > 0)
    played.found.push(`after ${whats.join(' and ')} of customer ${player.id}:\n${illegal.join('\n')}`)
  const options = await differentOptions(played, player)
  if (options !== '') played.found.push(`after ${whats.join(' and ')} of customer ${player.id}:\n${options}`)
}

/** Empty: none. */
function differences({ stored }: Player, model: Customer): string {
  const lines = linesOf(model)
  const only = (these: readonly string[], those: readonly string[]) => these.filter((line) => !those.includes(line))
  const found = [
    ...only(stored.lines, lines).map((line) => `  stored: ${line}`),
    ...only(lines, stored.lines).map((line) => `  model:  ${line}`),
  ]
  return found.length === 0 && lines.length === stored.lines.length ? '' : found.join('\n')
}

/** Where money may go, and what is kept back. */
export async function differentOptions({ context, world, settings }: Played, { id, model }: Player): Promise<string> {
  const { current } = context.gateways
  const gateways = { ...context.gateways, current: { ...current, paysOut: settings.payouts } }
  const found = await readOptions({ ...context, gateways }, id)
  if (found === undefined) return '  stored: no such customer'
  model.now = world.clock.now
  const kept = found.funds.keptBack.reduce((sum, { amount }) => sum + Number(amount), 0)
  const stored = [`  available ${found.funds.available}, kept back ${kept}`]
  const expected = [`  available ${available(model)}, kept back ${keptBack(model)}`]
  for (const [i, card] of model.cards.entries()) {
    const option = found.options.find((one) => one.card.id % 10 === i)
    const { max = 0n, returns = 0n, freed = 0n, winnings = 0n } = option ?? {}
    stored.push(`  card ${card.id}: ${max} (${returns} + ${freed} + ${winnings})`)
    const most = optionOf(model, card)
    expected.push(`  card ${card.id}: ${most.max} (${most.own} + ${most.freed} + ${most.winnings})`)
  }
  if (stored.join() === expected.join()) return ''
  return ['  options:', ...stored, '  the model has:', ...expected].join('\n')
}

/** At the end of a run: an answer of the gateway that nobody recorded must have changed nothing. */
export function ignoredAnswers(played: Played, run: Run): void {
  for (const input of run.answers) {
    if (played.found.length > 0 || input.mayBeIgnored || run.harmless.has(input)) continue
    if (!changesNothing(run, input)) played.found.push(`${input.what} of customer ${input.player.id} was ignored`)
  }
}
