import { endConsoleSession, listConsoleSessions } from '../../identity/operators/console-sessions.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { operatorOperation } from '../server/operation.ts'
import { singlePage } from '../server/pages.ts'
import { notFound } from '../server/problem.ts'
import { consoleSessions } from './schemas.ts'

export const consoleSessionOperations = [
  operatorOperation({
    name: 'listConsoleSessions',
    summary: 'List who is signed in to the console',
    description: 'Those who signed in through the OpenID provider.',
    route: 'GET /console-sessions',
    role: 'admin',
    answer: { 200: consoleSessions },
    async handle({ database, now }) {
      const rows = await listConsoleSessions(database, now())
      const items = rows.map(({ id, name, role, subject, created_at, used_at, expires_at }) => ({
        id: String(id),
        name,
        role,
        subject,
        createdAt: isoTime(created_at),
        usedAt: isoTime(used_at),
        expiresAt: isoTime(expires_at),
      }))
      return singlePage(items)
    },
  }),
  operatorOperation({
    name: 'endConsoleSession',
    summary: 'Sign a person out of the console at once',
    route: 'DELETE /console-sessions/{id}',
    role: 'admin',
    audit: 'ended console session {id}',
    answer: { 204: null },
    problems: { 404: 'There is no such session.' },
    async handle({ database }, { path }) {
      if (!(await endConsoleSession(database, path.id))) throw notFound('session with this id')
    },
  }),
]
