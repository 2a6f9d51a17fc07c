// Plays two operations in two processes, one step at a time. Who goes next is decided by an *order*; whoever waits for a lock of the
// other cannot be chosen until PostgreSQL says that it no longer waits.

import type { Gateway } from '../../src/wallets/gateways/gateway.ts'
import type { Answer, GatewayCall, Step } from './messages.ts'
import type { Operation } from './operations.ts'
import type { Process, Processes } from './processes.ts'

export type Choice = { readonly process: 0 | 1; readonly step: Step }

/** `last`: what was let through before; null at the beginning. */
export type Order = (choices: readonly Choice[], last: Choice | null) => Choice

export type Pair = readonly [Operation, Operation]

export type Played = {
  readonly answers: readonly [Answer, Answer]
  /** As they were let through. */
  readonly trace: readonly Choice[]
  /** Whether jobs ran beside each other in one process. */
  readonly isParallel: boolean
  /** Repeats it (orders.ts). */
  readonly decisions: string
  readonly conflicts: readonly string[]
}

export type Stage = { readonly processes: Processes; readonly bank: Gateway }

/** A deadlock is found by PostgreSQL after a second. */
const LONGEST_MS = 60_000
/** A statement that has not ended by then may wait for a lock. */
const FIRST_LOOK_MS = 2

export async function playPair(stage: Stage, pair: Pair, order: Order, without: string | null = null): Promise<Played> {
  const { both } = stage.processes
  const log = newLog()
  for (const [index, process] of both.entries()) {
    Object.assign(process, { answer: null, conflicts: [] })
    process.send({ play: pair[index as 0 | 1], without })
  }
  let last: Choice | null = null
  await untilReported(stage, () => both.every((one) => one.pending.length > 0 || one.answer !== null))
  while (both.some(({ answer }) => answer === null)) {
    const choices = choicesOf(both)
    if (choices.length === 0) {
      // They wait for each other until PostgreSQL ends one, or the end of one is being reported.
      await untilReported(stage, () => choicesOf(both).length > 0 || both.every(({ answer }) => answer !== null))
      continue
    }
    last = order(choices, last)
    log.decided(last, choices)
    const waiting = both[0].inFlight.size + both[1].inFlight.size
    await letThrough(stage, last)
    await untilAllWait(stage, endsTransaction(last.step) ? 0 : waiting)
  }
  const [one, other] = both
  return {
    answers: [one.answer as Answer, other.answer as Answer],
    ...log.read(),
    conflicts: [...one.conflicts, ...other.conflicts],
  }
}

/** Timers come last: time passes when nothing else happens. */
function choicesOf(both: readonly [Process, Process]): Choice[] {
  const all = both.flatMap(({ pending, inFlight }, process) =>
    pending.filter(({ id }) => !inFlight.has(id)).map((step) => ({ process: process as 0 | 1, step })),
  )
  const timers = all.filter(({ step }) => step.kind === 'timer')
  return [...all.filter(({ step }) => step.kind !== 'timer'), ...timers]
}

async function letThrough({ processes, bank }: Stage, { process: index, step }: Choice): Promise<void> {
  const process = processes.both[index]
  const answer = step.call === undefined ? undefined : await callBank(bank, step.call)
  process.inFlight.set(step.id, step)
  process.send({ letThrough: step.id, answer })
}

const callBank = (bank: Gateway, { name, terms }: GatewayCall) =>
  (bank[name] as (...terms: readonly unknown[]) => Promise<unknown>)(...terms)

/** Only then are locks released. */
const endsTransaction = ({ kind, transaction }: Step) =>
  transaction === null || kind === 'commit' || kind === 'rollback'

/** Until every step that was let through has ended or waits for a lock, as `waiting` of them do for sure. */
async function untilAllWait({ processes }: Stage, waiting: number): Promise<void> {
  const isAny = () => processes.both[0].inFlight.size + processes.both[1].inFlight.size > waiting
  for (let wait = FIRST_LOOK_MS, waited = 0; isAny(); waited += wait) {
    if (await processes.nextReport(wait)) continue
    if (await processes.allWait()) return
    if (waited > LONGEST_MS) throw new Error('a step does not end, and waits for no lock')
    wait = Math.min(2 * wait, 100)
  }
}

async function untilReported({ processes }: Stage, isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += 100) {
    if (waited > LONGEST_MS) throw new Error('nobody goes on')
    await processes.nextReport(100)
  }
}

function newLog() {
  const decisions: string[] = []
  const trace: Choice[] = []
  let isParallel = false
  return {
    decided(choice: Choice, choices: readonly Choice[]): void {
      const own = choices.filter(({ process }) => process === choice.process)
      const index = own.indexOf(choice)
      decisions.push(index === 0 ? `${choice.process}` : `${choice.process}.${index}`)
      trace.push(choice)
      isParallel ||= own.filter(({ step }) => step.kind !== 'timer').length > 1
    },
    read: () => ({ trace, isParallel, decisions: compact(decisions) }),
  }
}

/** 0 0 0 1 1.1 is 0*3 1 1.1 */
function compact(decisions: readonly string[]): string {
  const runs: { decision: string; times: number }[] = []
  for (const decision of decisions) {
    const run = runs.at(-1)
    if (run?.decision === decision) run.times++
    else runs.push({ decision, times: 1 })
  }
  return runs.map(({ decision, times }) => (times === 1 ? decision : `${decision}*${times}`)).join(' ')
}

/** A transaction has ended, or a step outside of one. */
export function endsBlock({ step }: Choice): boolean {
  return step.kind !== 'timer' && endsTransaction(step)
}

/** The processes of all transactions, and of all steps outside of one, in the order in which they ended. */
export function blocksOf({ trace }: Played): string {
  return trace
    .filter(endsBlock)
    .map(({ process }) => process)
    .join('')
}

/** For people: transactions are numbered as they begin. */
export function stepsOf({ trace }: Played): string[] {
  const begun = new Map<string, number>()
  return trace.map(({ process, step: { kind, name, transaction } }) => {
    const key = `${process} ${transaction}`
    if (transaction !== null && !begun.has(key)) begun.set(key, begun.size + 1)
    const where = kind === 'gateway' ? ' at the bank' : transaction === null ? '' : ` in transaction ${begun.get(key)}`
    return `process ${process}: ${name}${where}`
  })
}
