import { settings } from '../platform/config/settings.ts'
import { DatabaseUnavailable } from '../platform/database/database.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Failure = { code?: string; errno?: number; path?: string; port?: number; message: string; stack?: string }

/** Wrong password, no such user, no such database. */
const REFUSED_BY_POSTGRES = ['28P01', '28000', '3D000']

/** One line for what an operator can correct; anything else with its stack, for those who fix it. */
export function failureText(error: unknown, environment: Environment): string {
  const { code = '', errno, path, port, message, stack = '' } = error as Failure
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Stop what uses it, or choose others: PORT=9080 OPERATOR_PORT=9081 npm start`
  }
  if (error instanceof DatabaseUnavailable) {
    const advice = environment.DATABASE_URL ? 'Start it, or correct DATABASE_URL.' : 'See that DATA_DIR can be written.'
    return `${capitalised(message)}. ${advice}`
  }
  if (REFUSED_BY_POSTGRES.includes(code)) return `PostgreSQL refuses us: ${message}. Correct DATABASE_URL.`
  if (code === '42P01' || /^no such table/.test(message)) {
    return `The database is not migrated (${message}): run "paddock migrate", or start the service.`
  }
  if (path !== undefined && errno !== undefined) return `${fileAt(path, environment)}: ${message}`
  if (errno !== undefined) return `Paddock could not start: ${message}`
  return `Paddock could not start: ${message}\n${stack}`
}

/** The path, with the setting that names it. */
function fileAt(path: string, environment: Environment): string {
  const setting = Object.keys(settings).find((name) => environment[name] === path)
  return setting === undefined ? `${path} cannot be used` : `${setting}=${path} cannot be used`
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
