// `paddock verify-log` as anybody runs it, with nothing but an address.

import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataFolder } from '../harness/data-folder.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { paddockProgram } from '../harness/service-program.ts'
import { newMatch, newTip, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { logged } from '../harness/tip-log.ts'

const folder = newDataFolder()
const state = join(folder, 'state', 'paddock', 'verified-logs.json')
let service: TestService
let author: Awaited<ReturnType<TestService['member']>>

beforeAll(async () => {
  service = await startTestService({ LOG_LEVEL: 'silent' })
  author = await service.member()
  await newSettledTip('win')
  await newSettledTip('lose')
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

async function newSettledTip(result: 'win' | 'lose'): Promise<void> {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  await newTip(service, author, outcome.id)
  await settle(service, outcome, result)
  await logged(service.context.database)
}

async function verifyLog(...commandLine: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env.PATH, XDG_STATE_HOME: join(folder, 'state') }
  try {
    const run = promisify(execFile)(process.execPath, [paddockProgram, 'verify-log', ...commandLine], {
      env,
      cwd: folder,
    })
    const { stdout, stderr } = await run
    return { code: 0, out: stdout, err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: stdout, err: stderr }
  }
}

test('an intact log, for the first time and again, with the record of a profile', async () => {
  const first = await verifyLog(service.publicUrl, '--profile', `${author.profileId}`)
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(first.out).toMatch(/^paddock-log-[0-9a-f]{16}: 4 entries at \S+, signed by key [0-9a-f]{8}\.\n/)
  expect(first.out).toContain('First verification of this log here')
  expect(first.out).toContain('2 tips of 1 profile, numbered without a gap')
  expect(first.out).toContain('2 settled, 1 won, staked 2, profit 0.100000, yield 5.00 %.')
  await newSettledTip('win')
  const second = await verifyLog(`${service.publicUrl}/`)
  expect(second).toMatchObject({ code: 0, out: expect.stringContaining('It begins with the 4 entries seen at') })
  expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ [service.publicUrl]: { size: 6 } })
})

test('a log that went back, and another log at the same address', async () => {
  const before = readFileSync(state, 'utf8')
  const seen = JSON.parse(before)[service.publicUrl]
  const other = join(folder, 'seen.json')
  const remember = (changes: object) =>
    writeFileSync(other, JSON.stringify({ [service.publicUrl]: { ...seen, ...changes } }))
  remember({ size: 100 })
  const back = await verifyLog(service.publicUrl, '--state', other)
  expect(back).toMatchObject({ code: 1, out: expect.stringContaining('94 entries that were published are lost') })
  remember({ origin: 'paddock-log-0000000000000000' })
  const replaced = await verifyLog(service.publicUrl, '--state', other)
  expect(replaced).toMatchObject({ code: 1, out: expect.stringContaining('This is another log') })
  // What was seen stays as evidence.
  expect(JSON.parse(readFileSync(other, 'utf8'))[service.publicUrl].origin).toBe('paddock-log-0000000000000000')
})

test('a tip that was changed by hand', async () => {
  const to = (from: string, other: string) => `update comment set text = '${other}' where text = '${from}' and id = 1`
  // Pages of the log are cached for a minute, unless an event tells of a change.
  const change = async (script: string) => {
    await service.context.database.script(script)
    service.clock.advance(60_000)
  }
  await change(to('A fine price', 'I always said so'))
  const { code, out } = await verifyLog(service.publicUrl)
  expect([code, out]).toEqual([1, expect.stringContaining('The first that differs is entry 0.')])
  await change(to('I always said so', 'A fine price'))
  expect(await verifyLog(service.publicUrl)).toMatchObject({ code: 0 })
})

test('what cannot be checked', async () => {
  const broken = join(folder, 'broken.json')
  writeFileSync(broken, '{')
  const refused: [why: string, commandLine: string[]][] = [
    ['Usage', ['example']],
    ['Usage', [service.publicUrl, '--profile', 'x']],
    ['cannot be reached', ['http://127.0.0.1:9']],
    ['There is no log of tips at this address', [`${service.publicUrl}/elsewhere`]],
    ['cannot be read', [service.publicUrl, '--state', broken]],
  ]
  for (const [why, commandLine] of refused) {
    expect(await verifyLog(...commandLine)).toMatchObject({ code: 2, err: expect.stringContaining(why) })
  }
})
