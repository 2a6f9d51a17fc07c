import { createLog } from '../platform/observability/log.ts'
import { startService } from '../service.ts'
import { type Command, CommandError } from './command.ts'

/** A service in the sandbox fills an empty database at its start, so this starts one on free ports and stops it. */
export const seedDatabase: Command = async (config) => {
  if (config.mode === 'production') throw new CommandError('Only the sandbox has data to seed: set MODE=sandbox.')
  const quiet = {
    ...config,
    sandboxSeed: true,
    sandboxHistory: config.sandboxHistory || !config.sandboxSeed,
    public: { ...config.public, port: 0 },
    operator: { ...config.operator, port: 0 },
  }
  const service = await startService(quiet, { log: createLog('silent', () => {}, 1) })
  await service.close()
  return 'The database has the sandbox’s data. If it was not empty before, it is unchanged.'
}
