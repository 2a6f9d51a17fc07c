// Backup of the embedded database while it is written to, and its restore.

import { execFile } from 'node:child_process'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataFolder } from '../harness/data-folder.ts'
import { OPERATOR_TOKEN, startTestService, type TestService } from '../harness/service.ts'
import { paddockProgram } from '../harness/service-program.ts'
import { deposit, newDepositor } from '../harness/wallets.ts'

const folder = newDataFolder()
const DATA_DIR = join(folder, 'data')
const DATABASE = join(DATA_DIR, 'paddock.db')
const testDatabase = { settings: { DATA_DIR }, remove: async () => {} }
let service: TestService | undefined

beforeAll(async () => {
  service = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
})
afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function paddock(commandLine: string[], environment: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, DATA_DIR, OPERATOR_TOKEN, ...environment }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [paddockProgram, ...commandLine], {
      env,
      cwd: folder,
    })
    return { code: 0, out: stdout, err: '' }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: stdout, err: stderr }
  }
}

/** Every row of every table. The virtual tables of the full-text search have their rows in others. */
function rowsOf(file: string): Record<string, unknown[]> {
  const connection = new DatabaseSync(file, { readOnly: true })
  try {
    const isReal = "type = 'table' and sql not like 'create virtual table%'"
    const tables = connection.prepare(`select name from sqlite_master where ${isReal} order by name`).all()
    const inOrder = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
    return Object.fromEntries(
      tables.map(({ name }) => [`${name}`, inOrder(connection.prepare(`select * from "${name}"`).all())]),
    )
  } finally {
    connection.close()
  }
}

/** Writes one row after another until it is stopped, and counts the requests sent and answered. */
function writer(write: (count: number) => Promise<void>) {
  const counts = { sent: 0, answered: 0 }
  let stopped = false
  const running = (async () => {
    while (!stopped) {
      await write(++counts.sent)
      counts.answered++
    }
  })()
  return {
    counts,
    async stop() {
      stopped = true
      await running
    },
  }
}

test('a backup under load has every write acknowledged before it began; its restore has the same rows', async () => {
  const running = service as TestService
  const members = await Promise.all([running.member(), running.member()])
  const payers = await Promise.all([newDepositor(running), newDepositor(running)])
  const biographies = members.map(({ ticket }) =>
    writer(async (count) => {
      const reply = await running.call('PUT', `/v1/profiles/me?biography=Race+${count}`, { ticket })
      expect(reply.status).toBe(200)
    }),
  )
  const deposits = payers.map(({ ticket, method }) =>
    writer(async () => {
      const reply = await deposit(running, { ticket, method, amount: '5.00' })
      expect(reply.text).toContain('paymentId')
    }),
  )
  const writers = [...biographies, ...deposits]
  const backup = join(folder, 'backup')
  try {
    const slowest = () => Math.min(...writers.map(({ counts }) => counts.answered))
    await expect.poll(slowest, { timeout: 30_000 }).toBeGreaterThan(3)
    const before = writers.map(({ counts }) => counts.answered)
    const created = await paddock(['backup', backup])
    const after = writers.map(({ counts }) => counts.sent)
    expect(created).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /backed up in .* is [0-9a-f]{64}\. Schema, audit trail, log of tips and ledger are right\.\n$/,
      ),
    })
    expect(after.every((count, index) => count > (before[index] as number) + 3)).toBe(true)
    const modes = [backup, ...readdirSync(backup).map((name) => join(backup, name))].map(
      (path) => statSync(path).mode & 0o077,
    )
    expect(new Set(modes)).toEqual(new Set([0]))

    const live = await paddock(['restore', backup, '--replace'])
    expect(live).toMatchObject({ code: 1, err: expect.stringContaining('A service is running') })
    await Promise.all(writers.map((one) => one.stop()))
    expect((await running.operator('GET', '/operator/v1/ledger/check')).body.balanced).toBe(true)
    await running.close()
    service = undefined

    const lost = rowsOf(DATABASE)
    const kept = await paddock(['restore', backup])
    expect(kept).toMatchObject({ code: 1, err: expect.stringContaining('add --replace. Nothing was changed') })
    const restored = await paddock(['restore', backup, '--replace'])
    expect(restored).toMatchObject({
      code: 0,
      out: expect.stringMatching(/restored.*Checked: checksum, schema, audit, tip-log, ledger\. .*replaced-/),
    })
    expect(rowsOf(DATABASE)).toEqual(rowsOf(join(backup, 'paddock.db')))
    const replaced = readdirSync(DATA_DIR).filter((name) => name.startsWith('paddock.db.replaced-'))
    expect(rowsOf(join(DATA_DIR, `${replaced[0]}`))).toEqual(lost)

    const again = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
    service = again
    const shown = await Promise.all([
      ...members.map(async ({ ticket }) =>
        Number(/Race (\d+)/.exec((await again.call('GET', '/v1/profiles/me', { ticket })).text)?.[1]),
      ),
      ...payers.map(async ({ id }) => {
        const { body } = await again.operator('GET', `/operator/v1/customers/${id}`)
        return Number(body.balance) / 5
      }),
    ])
    for (const [index, count] of shown.entries()) {
      expect(count).toBeGreaterThanOrEqual(before[index] as number)
      expect(count).toBeLessThanOrEqual(after[index] as number)
    }
    expect((await again.operator('GET', '/operator/v1/ledger/check')).body.balanced).toBe(true)
  } finally {
    await Promise.all(writers.map((one) => one.stop()))
  }
})

test('backup overwrites nothing, and leaves nothing behind that is no backup', async () => {
  const existing = await paddock(['backup', join(folder, 'backup')])
  expect(existing).toMatchObject({ code: 1, err: expect.stringContaining('exists already') })
  writeFileSync(join(folder, 'file'), 'something else')
  const file = await paddock(['backup', join(folder, 'file')])
  expect(file).toMatchObject({ code: 1, err: expect.stringContaining('exists already') })
  const nothing = await paddock(['backup', join(folder, 'x')], { DATA_DIR: join(folder, 'empty') })
  expect(nothing).toMatchObject({ code: 1, err: expect.stringContaining('There is no database') })
  const nowhere = await paddock(['backup', join(folder, 'no/such/folder')])
  expect(nowhere).toMatchObject({ code: 1, err: expect.stringMatching(/cannot be backed up: .*No backup was written/) })
  expect(readdirSync(folder).filter((name) => /unfinished|^x$/.test(name))).toEqual([])
  expect(await paddock(['backup'])).toMatchObject({ code: 0 })
  expect(readdirSync(join(DATA_DIR, 'backups'))).toEqual([expect.stringMatching(/^paddock-\d{8}T\d{6}Z$/)])
  expect(await paddock(['backup', join(DATA_DIR, 'backups')])).toMatchObject({ code: 0 })
  expect(await paddock(['backup', 'a', 'b'])).toMatchObject({ code: 2, err: expect.stringContaining('Usage') })
})

test('a backup for which there is no room leaves nothing', async () => {
  const command = [
    '-c',
    'ulimit -f 100; exec "$@"',
    'bash',
    process.execPath,
    paddockProgram,
    'backup',
    join(folder, 'no-room'),
  ]
  const limited = promisify(execFile)('bash', command, { env: { PATH: process.env.PATH, DATA_DIR, OPERATOR_TOKEN } })
  await expect(limited).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('No backup was written') })
  expect(readdirSync(folder).filter((name) => name.startsWith('no-room'))).toEqual([])
})
