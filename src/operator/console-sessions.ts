import { endConsoleSession, listConsoleSessions } from '../operator-access/console-sessions.ts'
import { type OperatorOperation, operatorOperation } from './frame/operation.ts'
import { wholeList } from './frame/pages.ts'
import { notFound } from './frame/problem.ts'

export const consoleSessionOperations: OperatorOperation[] = [
  operatorOperation({
    name: 'listConsoleSessions',
    summary: 'The people who are signed in to the console through the OpenID provider',
    method: 'GET',
    path: '/console-sessions',
    role: 'admin',
    async handle({ database, now }) {
      const rows = await listConsoleSessions(database, now())
      const time = (at: number) => new Date(at).toISOString()
      const items = rows.map(({ id, name, role, subject, created_at, used_at, expires_at }) => ({
        id: String(id),
        name,
        role,
        subject,
        createdAt: time(created_at),
        usedAt: time(used_at),
        expiresAt: time(expires_at),
      }))
      return { status: 200, body: wholeList(items) }
    },
  }),
  operatorOperation({
    name: 'endConsoleSession',
    summary: 'Sign a person out of the console; takes effect at once',
    method: 'DELETE',
    path: '/console-sessions/{id}',
    role: 'admin',
    async handle({ database }, { path }) {
      if (!(await endConsoleSession(database, Number(path.id)))) throw notFound('session with this id')
      return { status: 204 }
    },
  }),
]
