// Statements as customers and operators read them: whenever they are read, each line leads from the balance before it to the one after it.

import type { Ask, Json, WalletCalls } from './calls.ts'

/** Amounts in hundredths, `at` in milliseconds. */
export type Line = { type: string; at: number; amount: bigint; balance: bigint; reference?: string }
export type Statement = { lines: Line[]; closing: bigint }
/** By customer. */
export type Lines = ReadonlyMap<number, readonly Line[]>

const BLOCK = 100

export const units = (amount: string) => BigInt(amount.replace('.', ''))

/** undefined: the customer has no session any more. */
export async function readStatement(call: WalletCalls, ticket: string): Promise<Statement | undefined> {
  const lines: Line[] = []
  for (let block = 0; ; block++) {
    const path = `/statement?blockSize=${BLOCK}&blockNum=${block}`
    const answer = await call({ method: 'GET', path, ticket })
    if ('fault' in answer) return undefined
    const { line, closing } = answer.wallets.statement
    const read: Json[] = [line ?? []].flat()
    for (const { type, dateTimeZoned, amount, balance, reference } of read) {
      const at = Date.parse(dateTimeZoned)
      lines.push({ type, at, amount: units(amount), balance: units(balance), reference })
    }
    if (read.length < BLOCK) return { lines, closing: units(closing) }
  }
}

/** As an operator reads it. */
export async function readStatementOf(ask: Ask, customerId: number): Promise<Statement> {
  const lines: Line[] = []
  for (let cursor = ''; ; ) {
    const { body } = await ask('GET', `/customers/${customerId}/statement?limit=${BLOCK}${cursor}`)
    for (const { type, at, debit, credit, balance, reference } of body.items as Json[]) {
      const amount = debit === '' ? units(credit) : -units(debit)
      lines.push({ type, at: Date.parse(at), amount, balance: units(balance), reference })
    }
    if (body.cursor === null) return { lines, closing: units(body.closing) }
    cursor = `&cursor=${body.cursor}`
  }
}

/** At any moment: lines are only added. */
export function statementViolations(customer: number, { lines, closing }: Statement): string[] {
  const found: string[] = []
  let balance = 0n
  for (const [index, line] of lines.entries()) {
    const name = `customer ${customer}: line ${index + 1} (${line.type} ${line.amount})`
    if (balance + line.amount !== line.balance) found.push(`${name} leads from ${balance} to ${line.balance}`)
    if (line.balance < 0n) found.push(`${name} leaves the balance ${line.balance}`)
    balance = line.balance
  }
  if (closing !== balance) found.push(`customer ${customer}: the lines add up to ${balance}, the balance is ${closing}`)
  return found
}
