import { createLog } from '../observability/log.ts'
import { startService } from '../service.ts'
import { type Command, UsageProblem } from './command.ts'

/** The service fills an empty database when it starts in sandbox mode: this starts it on free ports, and stops it. */
export const seedWorld: Command = async (config) => {
  if (config.mode === 'production') throw new UsageProblem('Only MODE=sandbox has a world to seed.')
  const quiet = {
    ...config,
    sandboxSeed: true,
    public: { ...config.public, port: 0 },
    operator: { ...config.operator, port: 0 },
  }
  const service = await startService(quiet, { log: createLog('silent', () => {}, 1) })
  await service.close()
  return 'The database holds the sandbox’s world, or what was there before it.'
}
