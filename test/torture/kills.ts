// Kills the service, and with PostgreSQL sometimes the database, at random moments.

import { randomInt } from 'node:crypto'
import type { Journal } from './journal.ts'
import { type Process, sleep } from './processes.ts'
import type { World } from './world.ts'

export type Kills = { service: number; postgres: number }

/** So much is answered between two kills beside deposits, or so long is waited for it: a busy machine starts slowly. */
const LEAST_WORK = 10
const LONGEST_MS = 15_000

/** As a supervisor does: a busy machine may not answer a start in time. */
async function startAgain(world: World, tries = 5): Promise<Process> {
  return world.startService().catch((error) => {
    if (tries === 1) throw error
    return startAgain(world, tries - 1)
  })
}

/** `isOver`: looked at before each kill. Returns the process that runs then. */
export async function killRepeatedly(
  { world, journal, kills }: { world: World; journal: Journal; kills: Kills },
  first: Process,
  isOver: () => boolean,
): Promise<Process> {
  let service = first
  while (!isOver()) {
    const before = journal.answered()
    const late = Date.now() + LONGEST_MS
    while (journal.answered() < before + LEAST_WORK && Date.now() < late) await sleep(20)
    await sleep(randomInt(1_500))
    if (world.postgres !== null && randomInt(4) === 0) {
      journal.note('killed', null, 'the database')
      await world.postgres.stop(randomInt(2) === 0 ? 'SIGQUIT' : 'SIGKILL')
      kills.postgres++
      await sleep(randomInt(500))
      await world.postgres.start()
      continue
    }
    journal.note('killed', null, 'the service')
    await service.kill()
    kills.service++
    await sleep(randomInt(200))
    service = await startAgain(world)
    journal.note('started', null, 'the service')
  }
  return service
}
