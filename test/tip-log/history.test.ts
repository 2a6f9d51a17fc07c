// The log over restarts, failures, several processes, extensions switched off, and a restored backup.

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { catchUp } from '../../src/event-log/projection.ts'
import { openDatabase } from '../../src/platform/configured-database.ts'
import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { tipLogProjection } from '../../src/tip-log/projection.ts'
import { outcomeWithTips } from '../harness/outcome-with-tips.ts'
import { programEnvironment } from '../harness/program-environment.ts'
import {
  call,
  engine,
  newTestDatabase,
  OPERATOR_TOKEN,
  startTestService,
  type TestDatabase,
  type TestService,
} from '../harness/service.ts'
import { paddockProgram } from '../harness/service-program.ts'
import { newBet, newMatch, newTip, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { logged, readLog, seenBy, verify } from '../harness/tip-log.ts'
import { run } from '../torture/processes.ts'

async function withDatabase(work: (testDatabase: TestDatabase) => Promise<void>): Promise<void> {
  const testDatabase = await newTestDatabase()
  try {
    await work(testDatabase)
  } finally {
    await testDatabase.remove()
  }
}

async function withService<T>(testDatabase: TestDatabase, work: (service: TestService) => Promise<T>, settings = {}) {
  const service = await startTestService({ LOG_LEVEL: 'silent', ...settings }, testDatabase)
  try {
    return await work(service)
  } finally {
    await service.close()
  }
}

/** Tips on new outcomes, the first of which wins. */
async function tips(service: TestService, count: number): Promise<void> {
  const author = await service.member()
  for (let number = 0; number < count; number++) {
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    await newTip(service, author, outcome.id)
    if (number === 0) await settle(service, outcome, 'win')
  }
}

/** Verifies the log when it has everything, and returns what was seen. */
async function seenNow(service: TestService, before: ReturnType<typeof seenBy> | null = null) {
  await logged(service.context.database)
  const verified = await verify(service, before)
  expect(verified.problems).toEqual([])
  return seenBy(verified)
}

test('over a restart, with the same name and key', async () => {
  await withDatabase(async (testDatabase) => {
    const first = await withService(testDatabase, async (service) => {
      await tips(service, 3)
      return seenNow(service)
    })
    await withService(testDatabase, async (service) => {
      await tips(service, 2)
      const second = await seenNow(service, first)
      expect(second.size).toBe(first.size + 3)
      expect([second.origin, second.keys]).toEqual([first.origin, first.keys])
    })
  })
})

test('without extensions nothing is served, and everything is logged', async () => {
  await withDatabase(async (testDatabase) => {
    const off = async (service: TestService) => {
      await tips(service, 2)
      expect((await call(service.publicUrl, 'GET', '/v1/communities/log')).status).toBe(404)
      await logged(service.context.database)
    }
    await withService(testDatabase, off, { EXTENSIONS: 'off' })
    await withService(testDatabase, async (service) => {
      expect((await seenNow(service)).size).toBe(3)
    })
  })
})

test('tips from before the log, and what becomes of them, are not in it', async () => {
  await withDatabase(async (testDatabase) => {
    const outcome = await outcomeWithTips(testDatabase, 5)
    await withService(testDatabase, async (service) => {
      await settle(service, outcome, 'win')
      await tips(service, 1)
      expect((await seenNow(service)).size).toBe(2)
    })
  })
})

/** Fails once, before the statement of this number or after it. */
function failing(database: Database, number: number, when: 'before' | 'after'): Database {
  let count = 0
  const watch = async <T>(work: () => T | Promise<T>): Promise<T> => {
    count++
    if (count === number && when === 'before') throw new Error('killed')
    const result = await work()
    if (count === number && when === 'after') throw new Error('killed')
    return result
  }
  const inside = (transaction: Database): Database => ({
    ...transaction,
    query: (statement, parameters, last) => watch(() => transaction.query(statement, parameters, last)),
    one: (statement, parameters, last) => watch(() => transaction.one(statement, parameters, last)),
    run: (statement, parameters, last) => watch(() => transaction.run(statement, parameters, last)),
  })
  return {
    ...database,
    transaction: (work, durability) => database.transaction((transaction) => work(inside(transaction)), durability),
  }
}

const written = reading<NoParameters, { size: number; entries: number; tiles: number; profiles: number }>(
  'writtenToLog',
  `select size, (select count(*) from tip_log_entry) as entries, (select count(*) from tip_log_tile) as tiles,
     (select count(*) from tip_log_profile) as profiles from tip_log`,
)

const BEGIN_AGAIN = `delete from tip_log_entry; delete from tip_log_tile; delete from tip_log_profile;
  update tip_log set size = 0, position = 0`

test.each(['before', 'after'] as const)('a batch that fails %s any statement leaves nothing, or all', async (when) => {
  await withDatabase(async (testDatabase) => {
    const config = await withService(testDatabase, async (service) => {
      await tips(service, 2)
      await logged(service.context.database)
      return service.context.config
    })
    // No service runs: no other process is at work.
    const database = openDatabase(config)
    await database.script(BEGIN_AGAIN)
    let failures = 0
    for (let number = 1; ; number++) {
      const failed = await catchUp(failing(database, number, when), tipLogProjection(Date.now)).then(
        () => false,
        () => true,
      )
      if (!failed) break
      failures++
      const { size, entries, tiles, profiles } = (await database.one(written, {})) as Record<string, number>
      expect([size, entries, tiles, profiles]).toEqual(size === 0 ? [0, 0, 0, 0] : [3, 3, 1, 1])
    }
    expect(failures).toBeGreaterThan(8)
    await database.close()
    await withService(testDatabase, async (service) => {
      expect((await seenNow(service)).size).toBe(3)
    })
  })
})

test('a process that is killed while tips arrive', async () => {
  await withDatabase(async (testDatabase) => {
    const settings = { PORT: '0', OPERATOR_PORT: '0', SANDBOX_SEED: 'off', OPERATOR_TOKEN, ...testDatabase.settings }
    const prepared = await withService(testDatabase, async (service) => {
      const author = await service.member()
      const outcomes: TestOutcome[] = []
      for (let match = 0; match < 10; match++) outcomes.push(...(await newMatch(service, { outcomes: 30 })))
      const [first] = outcomes as [TestOutcome]
      await newTip(service, author, first.id)
      const bets: number[] = []
      for (const { id } of outcomes.slice(1, 150)) bets.push(await newBet(service, author.id, [id]))
      return { author, outcomes: outcomes.slice(1, 150), bets, seen: await seenNow(service) }
    })
    const process = await run(paddockProgram, ['serve'], settings)
    const url = /listens on (\S+)/.exec(process.output())?.[1] as string
    const { author, outcomes, bets, seen } = prepared
    const writing = Promise.allSettled(
      outcomes.map(({ id }, index) => {
        const path = `/v1/communities/comments/me/outcomes/${id}?betId=${bets[index]}&text=Now`
        return call(url, 'POST', path, { ticket: author.ticket })
      }),
    )
    for (;;) {
      const reply = await call(url, 'GET', '/v1/communities/log', { accept: 'application/json' })
      if (Number(reply.json().whoLog.checkpoint.size) > seen.size) break
    }
    await process.kill()
    await writing
    await withService(testDatabase, async (service) => {
      expect((await seenNow(service, seen)).size).toBeGreaterThan(seen.size)
    })
  })
})

// SQLite serves one process.
test.runIf(engine === 'postgres')('two services that start together have one log and one key', async () => {
  await withDatabase(async (testDatabase) => {
    const start = () => startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
    const services = await Promise.all([start(), start()])
    try {
      await Promise.all(services.map((service) => tips(service, 4)))
      const [one, other] = services as [TestService, TestService]
      const seen = await seenNow(one)
      expect(seen.size).toBe(10)
      expect(Object.keys(seen.keys)).toHaveLength(1)
      expect((await readLog(other)).checkpoint).toEqual((await readLog(one)).checkpoint)
    } finally {
      for (const service of services) await service.close()
    }
  })
})

test.runIf(engine === 'sqlite')('a restored backup: what came after it is reported as lost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-log-'))
  await withDatabase(async (testDatabase) => {
    const { DATA_DIR } = testDatabase.settings
    const paddock = (...commandLine: string[]) =>
      promisify(execFile)(process.execPath, [paddockProgram, ...commandLine], {
        env: { ...programEnvironment, DATA_DIR },
        cwd: folder,
      })
    const state = join(folder, 'seen.json')
    const backup = join(folder, 'backup')
    const { saved, lost } = await withService(testDatabase, async (service) => {
      await tips(service, 2)
      const first = await seenNow(service)
      const { stdout } = await paddock('verify-log', service.publicUrl, '--state', state, '--profile', '1')
      expect(stdout).toContain('First verification of this log here')
      expect(stdout).toContain('Profile 1: 2 tips; before the start 1 settled, 1 won, staked 1, profit 1.100000')
      await paddock('backup', backup)
      await tips(service, 2)
      return { saved: first, lost: await seenNow(service, first) }
    })
    await paddock('restore', backup, '--replace')
    await withService(testDatabase, async (service) => {
      await seenNow(service, saved)
      const { problems } = await verify(service, lost)
      expect(problems).toEqual([expect.stringMatching(/^The log went back: it had 6 entries .* has 3 now/)])
      // The address is another one after a restart, so that the command knows nothing of this log.
      const known = JSON.parse(readFileSync(state, 'utf8'))
      expect(Object.values(known)).toMatchObject([{ size: 3, origin: saved.origin }])
      await tips(service, 3)
      await logged(service.context.database)
      expect((await verify(service, lost)).problems).toContainEqual(expect.stringMatching(/not consistent|went back/))
    })
  })
  rmSync(folder, { recursive: true, force: true })
})
