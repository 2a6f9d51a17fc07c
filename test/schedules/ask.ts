// Requests: each is answered what the model answers in the moment of its transaction.

import { Fault } from '../../src/faults.ts'
import { Refused } from '../../src/platform/runtime/refused.ts'
import type { WalletsContext } from '../../src/wallets/context.ts'
import type { Input } from './checker.ts'
import type { Customer } from './model/customer.ts'
import type { Played, Player } from './played.ts'
import type { Process } from './process.ts'

export type Request = {
  readonly what: string
  readonly work: (context: WalletsContext) => Promise<string>
  readonly predict: (model: Customer) => string
}

/** Returns the answer, 'none' if the process was killed. */
export async function ask(process: Process, played: Played, player: Player, request: Request): Promise<string> {
  const { what, work, predict } = request
  const input: Input = { what, player, apply: predict }
  let predicted: string | null = null
  const answer = await process.run(input, async (context, run) => {
    const answered = await inWords(work(context), (why) => played.history.push(why))
    predicted = run.predicted
    return answered
  })
  played.history.push(`customer ${player.id}: ${what}: ${answer}`)
  if (answer !== 'none' && answer !== predicted && played.found.length === 0) {
    played.found.push(`${what} of customer ${player.id} was answered ${answer}, the model says ${predicted}`)
  }
  return answer
}

/** A fault by its code; what a domain function refuses is `refused`. */
export async function inWords(work: Promise<string>, note: (why: string) => void = () => {}): Promise<string> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Fault) return error.code
    if (error instanceof Refused) {
      note(error.message)
      return 'refused'
    }
    throw error
  }
}
