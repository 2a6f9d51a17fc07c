// A saved view is a named address of a page of the console, with its filters: an operator's own, or shared with all. What an
// address shows is still up to the role of whoever opens it.

import { hasRole } from '../../identity/operators/operator.ts'
import { UniqueViolation } from '../../platform/database/database.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { singlePage } from '../server/pages.ts'
import { conflict, notFound } from '../server/problem.ts'
import { shown } from '../server/shown.ts'
import * as sql from './store.ts'

const MAX_ADDRESS = 1000

const name = s.stringOf({ minLength: 1, maxLength: 60, pattern: s.WORDS }, 'Suspended, in debt')
const address = s.text(
  1,
  MAX_ADDRESS,
  'customers?status=suspended&debt=true',
  'The address of the page in the console, after `#/`.',
)
const shared = s.boolean(true, 'Whether all operators see it.')

const view = s.namedObject('SavedView', {
  id: s.id('1'),
  name,
  address,
  shared,
  owner: s.string('ann', 'Who saved it.'),
  createdAt: s.time(),
})
export type SavedView = s.ValueOf<typeof view>

const viewOf = shown(view)

export const viewOperations = [
  operatorOperation({
    name: 'listViews',
    summary: 'List my saved views, and those shared with all',
    route: 'GET /views',
    role: 'accounts or cashier or moderator',
    answer: { 200: s.page(view) },
    async handle({ database }, { operator }) {
      return singlePage((await database.query(sql.viewsOf, { owner: operator.name })).map((row) => viewOf(row)))
    },
  }),
  operatorOperation({
    name: 'saveView',
    summary: 'Save a view of a page of the console',
    route: 'POST /views',
    role: 'accounts or cashier or moderator',
    audit: ({ body }) => `saved the view {body.name}${body.shared === true ? ' for all' : ''}`,
    body: s.object({ name, address }, { shared: s.withDefault(shared, false) }),
    answer: { 201: view },
    problems: { 409: `You have a view of this name, or ${sql.MOST_VIEWS} views.` },
    example: {
      body: { name: 'Suspended, in debt', address: 'customers?status=suspended&debt=true', shared: true },
    },
    async handle({ database, now }, { body, operator }) {
      const row = { owner: operator.name, name: body.name.trim(), address: body.address, now: now() }
      try {
        const saved = await database.one(sql.insertView, { ...row, shared: Number(body.shared) })
        if (saved !== undefined) return viewOf(saved)
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error
        throw conflict('You have a view of this name: choose another, or delete it first.')
      }
      throw conflict(`You have ${sql.MOST_VIEWS} views, and nobody may have more: delete one that you no longer need.`)
    },
  }),
  operatorOperation({
    name: 'deleteView',
    summary: 'Delete a saved view',
    description: 'One’s own; admins also delete what others have shared.',
    route: 'DELETE /views/{id}',
    role: 'accounts or cashier or moderator',
    audit: 'deleted view {id}',
    answer: { 204: null },
    async handle({ database }, { path, operator }) {
      const anybody = Number(hasRole(operator, 'admin'))
      const deleted = await database.run(sql.deleteView, { id: path.id, owner: operator.name, anybody })
      if (deleted === 0) throw notFound('such view')
    },
  }),
]
