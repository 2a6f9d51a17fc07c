import { createLog } from '../observability/log.ts'
import { startService } from '../service.ts'
import { type Command, CommandError } from './command.ts'

/** The service fills an empty database when it starts in the sandbox. So this starts it on free ports, and stops it. */
export const seedDatabase: Command = async (config) => {
  if (config.mode === 'production') throw new CommandError('Only the sandbox has data to seed: set MODE=sandbox.')
  const quiet = {
    ...config,
    sandboxSeed: true,
    public: { ...config.public, port: 0 },
    operator: { ...config.operator, port: 0 },
  }
  const service = await startService(quiet, { log: createLog('silent', () => {}, 1) })
  await service.close()
  return 'The database has the sandbox’s data, or the data that it had before.'
}
