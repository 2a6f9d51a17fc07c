// The model knows no table of states. What it makes of one transaction must be a move that the machine of the subject has.

import { DEPOSIT_MACHINE } from '../../src/wallets/deposits/machine.ts'
import { legalMoves } from '../../src/wallets/machine.ts'
import { REFUND_MACHINE } from '../../src/wallets/refunds/machine.ts'
import { PART_MACHINE, WITHDRAWAL_MACHINE } from '../../src/wallets/withdrawals/machine.ts'

const LEGAL = {
  deposit: legalMoves(DEPOSIT_MACHINE),
  refund: legalMoves(REFUND_MACHINE),
  part: legalMoves(PART_MACHINE),
  withdrawal: legalMoves(WITHDRAWAL_MACHINE),
}
type Subject = keyof typeof LEGAL

/** Of a line of model/lines.ts: what it is about, and the state in which that is. */
function stateIn(line: string): [name: string, state: string][] {
  const [, name, state] = /^((?:deposit|refund|withdrawal) [^:]+): ([A-Z_]+)\b/.exec(line) ?? []
  return name === undefined || state === undefined ? [] : [[name, state]]
}

const subjectOf = (name: string) => (name.includes('/') ? 'part' : name.split(' ')[0]) as Subject

/** In words; none where all are legal. */
export function illegalMoves(before: readonly string[], after: readonly string[]): string[] {
  const states = new Map(before.flatMap(stateIn))
  return after.flatMap(stateIn).flatMap(([name, to]) => {
    const from = states.get(name) ?? to
    const isLegal = from === to || LEGAL[subjectOf(name)].includes(`${from}>${to}`)
    return isLegal ? [] : [`  ${name} goes from ${from} to ${to}, which is no move of its machine`]
  })
}
