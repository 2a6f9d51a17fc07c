// The names of customers and profiles that other answers have only ids of: the console shows them beside the ids.

import { idListOf } from '../../platform/database/row-list-store.ts'
import { defaultName } from '../../profiles/profile-view.ts'
import { mayRead } from '../server/call-roles.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { notValid } from '../server/problem.ts'
import * as sql from './store.ts'

const MAX_IDS = 100
const ids = s.text(0, MAX_IDS * 16, '1,2', `At most ${MAX_IDS} ids, with commas between them.`)

const named = s.list(
  s.object({ id: s.id('1'), name: s.string('alice') }),
  'The customers or profiles that exist and have a name, in any order.',
)

const names = s.object({ customers: named, profiles: named })

export const nameOperations = [
  operatorOperation({
    name: 'readNames',
    summary: 'Read the names of customers and profiles',
    description:
      'A customer’s is the user name, or else the name of the profile. Kinds that the caller’s role may not read stay empty.',
    route: 'GET /names',
    role: 'accounts or cashier or moderator',
    audit: 'read the names of customers {query.customers}',
    // Names of profiles are public.
    personalData: (body) => (body as s.ValueOf<typeof names>).customers.length > 0,
    query: s.allOptional({ customers: ids, profiles: ids }),
    answer: { 200: names },
    problems: { 422: 'Something in the lists is no id, or they have more than 100.' },
    example: { query: { customers: '1,2', profiles: '3' } },
    async handle({ database }, { operator, query }) {
      const customerIds = mayRead(operator, 'customer') ? idsIn('customers', query.customers) : []
      const profileIds = mayRead(operator, 'profile') ? idsIn('profiles', query.profiles) : []
      const customers = await database.query(sql.namesOfCustomers, { ids: idListOf(customerIds) })
      const profiles = await database.query(sql.namesOfProfiles, { ids: idListOf(profileIds) })
      return {
        customers: customers.flatMap(({ id, username, name }) => {
          const shown = username ?? name
          return shown === null ? [] : [{ id: String(id), name: shown }]
        }),
        profiles: profiles.map(({ id, name }) => ({ id: String(id), name: name ?? defaultName(id) })),
      }
    },
  }),
]

function idsIn(field: string, text = ''): number[] {
  const given = text === '' ? [] : text.split(',')
  if (given.length <= MAX_IDS && given.every((id) => /^[0-9]{1,15}$/.test(id))) return given.map(Number)
  throw notValid([{ pointer: `query/${field}`, detail: `must be at most ${MAX_IDS} ids with commas between them` }])
}
