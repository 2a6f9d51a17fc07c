// What one person can do to money alone: every call is made once, by one person, and what it has changed of money is compared with
// the table in docs/security.md.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operatorOperations } from '../../src/operator/operations.ts'
import { rolesOf } from '../../src/operator/server/call-roles.ts'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { movementLine, newReference } from '../harness/movements.ts'
import { type TestService, useService } from '../harness/service.ts'
import { cases } from './cases.ts'

const service = useService()

/** What of money a call can change, in the order of the table. */
const WATCHED = {
  books: reading<NoParameters, object>('watchedBooks')`select id from transfer`,
  gateway: reading<NoParameters, object>('watchedJobs')`select id, kind from job`,
  decisions: reading<NoParameters, object>('watchedDecisions')`
    select 'proposal ' || subject as decided, terms as state, by_person as by_one, null as by_two from money_proposal
    union all select 'withdrawal ' || id, state || coalesce(hold, ''), approved_by, approved_again_by from withdrawal
    union all select 'part ' || id, state, null, null from withdrawal_part
    union all select 'refund ' || id, state, approved_by, null from refund
    union all select 'deposit ' || id, state, review, null from deposit
    union all select 'notification ' || id, outcome, settled_by, null from gateway_notification`,
  cards: reading<NoParameters, object>('watchedCards')`
    select id, token, card_number, first_name, last_name, removed_at, closed_at, account_closed_at from payment_method`,
  customer: reading<NoParameters, object>('watchedCustomers')`
    select id, username, password_hash, status, verified, currency, daily_deposit_limit, first_name, last_name, play_from from customer`,
  tickets: reading<NoParameters, object>('watchedSessions')`select ticket_hash from session`,
  tokens: reading<NoParameters, object>('watchedTokens')`select name, role, owner, revoked_at from operator_token`,
} as const
type Watched = keyof typeof WATCHED

async function snapshot({ context }: TestService): Promise<Record<Watched, string>> {
  const kinds = Object.entries(WATCHED).map(async ([kind, statement]) => {
    const rows = (await context.database.query(statement, {})).map((row) => JSON.stringify(row))
    return [kind, rows.sort().join('\n')]
  })
  return Object.fromEntries(await Promise.all(kinds))
}

async function changedBy(row: (typeof operatorOperations)[number]): Promise<string[]> {
  const { path, body, status } = await (cases[row.name] as (typeof cases)[string])(service)
  const sent = row.name === 'importFeed' ? await feedOfMoney() : body
  const before = await snapshot(service)
  expect((await service.operator(row.method, `/operator/v1${path}`, sent)).status).toBe(status)
  const after = await snapshot(service)
  return (Object.keys(WATCHED) as Watched[]).filter((kind) =>
    kind === 'tickets' ? isMore(before[kind], after[kind]) : before[kind] !== after[kind],
  )
}

/** Sessions that end move nothing. */
const isMore = (before: string, after: string) => after.split('\n').some((row) => !before.split('\n').includes(row))

async function feedOfMoney(): Promise<Buffer> {
  const { id } = await service.customer()
  const movement = { reference: newReference(), customerId: id, kind: 'winnings', amount: '5.00' } as const
  const lines = [JSON.stringify({ put: 'customer', id, data: { verified: false } }), movementLine(movement)]
  return Buffer.from(`${lines.join('\n')}\n`)
}

/** `| call | roles | changes | …` of the document. */
function tableOf(document: string): Map<string, string> {
  const section = document.split('## What one role can do to money alone')[1]?.split('\n## ')[0] ?? ''
  const rows = [...section.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|/gm)]
  return new Map(rows.map(([, call, roles, changes]) => [`${call}`, `${roles} | ${changes}`]))
}

test('docs/security.md says of each call what one person alone changes of money, and which roles may make it', async () => {
  const made: [string, string][] = []
  for (const row of operatorOperations) {
    // The stream does not end.
    if (row.sendsEvents) continue
    const changed = await changedBy(row)
    const roles = rolesOf(row).filter((role) => role !== 'admin' && role !== 'auditor')
    if (changed.length > 0)
      made.push([`${row.method} ${row.path}`, `${roles.join(', ') || '–'} | ${changed.join(', ')}`])
  }
  const document = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
  expect(Object.fromEntries(tableOf(document))).toEqual(Object.fromEntries(made))
}, 120_000)
