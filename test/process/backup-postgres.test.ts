// Backup and restore of PostgreSQL, with the server and the client programs that Debian installs: skipped where there are none.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIRST_RELEASE, fillFirstRelease } from '../../bench/data/first-release.ts'
import { MIGRATION_TABLE, readMigrations } from '../../src/platform/database/migrate.ts'
import { recordMigration } from '../../src/platform/database/migration-store.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { newDataFolder } from '../harness/data-folder.ts'
import { connectTo, runSql, startPostgres, type TestPostgres } from '../harness/postgres.ts'
import { OPERATOR_TOKEN, startTestService, type TestService } from '../harness/service.ts'
import { paddockProgram } from '../harness/service-program.ts'
import { newMatch, newTip, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { logged, verify } from '../harness/tip-log.ts'
import { deposit, newDepositor } from '../harness/wallets.ts'

const PLACE = '/usr/lib/postgresql'
const version = (existsSync(PLACE) ? readdirSync(PLACE) : []).find((name) =>
  ['postgres', 'initdb', 'pg_dump', 'psql'].every((program) => existsSync(join(PLACE, name, 'bin', program))),
)
if (version === undefined)
  console.warn('Skipped: there is no PostgreSQL in /usr/lib/postgresql (apt install postgresql).')

const folder = newDataFolder()
let server: TestPostgres

async function paddock(settings: Record<string, string>, ...commandLine: string[]) {
  const env = { PATH: process.env.PATH, OPERATOR_TOKEN, DATABASE_WAIT_SECONDS: '0', ...settings }
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

let databases = 0

async function newDatabase(): Promise<{ DATABASE_URL: string; DATA_DIR: string }> {
  const name = `test_${++databases}`
  await runSql(server.url, `create database ${name}`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  // Of a role with a password, which no list of processes shows.
  url.password = encodeURIComponent('a:b c%')
  return { DATABASE_URL: url.href, DATA_DIR: join(folder, name) }
}

beforeAll(async () => {
  if (version === undefined) return
  server = await startPostgres([], newDataFolder(), join(PLACE, version, 'bin'))
})
afterAll(async () => {
  await server?.remove()
  rmSync(folder, { recursive: true, force: true })
})

const testDatabase = (settings: Record<string, string>) => ({ settings, remove: async () => {} })

async function answersOf({ call, operator }: TestService, author: { ticket: string }, picture: string, url: string) {
  const own = await call('GET', '/v1/profiles/me?communities=Y', { ticket: author.ticket, accept: 'application/json' })
  const ledger = await operator('GET', '/operator/v1/ledger/check')
  const deposits = await operator('GET', '/operator/v1/deposits')
  const bytes = await (await fetch(url + picture)).arrayBuffer()
  return [
    own.json().whoProfiles,
    ledger.body.balanced,
    deposits.body.items,
    createHash('sha256').update(Buffer.from(bytes)).digest('hex'),
  ]
}

describe.skipIf(version === undefined)('PostgreSQL', () => {
  test('a backup under load is consistent, and what is restored from it answers the same', async () => {
    const settings = await newDatabase()
    let service = await startTestService({}, testDatabase(settings))
    const [author, payer, writer] = [await service.member(), await newDepositor(service), await service.member()]
    const body = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#aa3311' } })
      .jpeg()
      .toBuffer()
    expect((await service.call('PUT', '/v1/profiles/me/picture', { ticket: author.ticket, body })).status).toBe(200)
    await deposit(service, { ...payer, amount: '5.00' })
    const [outcome, other] = [await newMatch(service), await newMatch(service)].map(([one]) => one as TestOutcome)
    await newTip(service, author, (outcome as TestOutcome).id, { more: '&priceNum=5&priceDen=2' })
    await settle(service, outcome as TestOutcome, 'win')
    await logged(service.context.database)
    await sweep(service.context)
    const own = await service.call('GET', '/v1/profiles/me', { ticket: author.ticket, accept: 'application/json' })
    const { picture } = own.json().whoProfiles[0].profile
    const before = await answersOf(service, author, picture, service.publicUrl)

    let stopped = false
    const writing = (async () => {
      for (let count = 0; !stopped; count++) {
        await service.call('PUT', `/v1/profiles/me?biography=Race+${count}`, { ticket: writer.ticket })
        if (count % 10 === 0) await newTip(service, writer, (other as TestOutcome).id)
      }
    })()
    const backup = join(folder, 'backup')
    const made = await paddock(settings, 'backup', backup)
    stopped = true
    await writing
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/1 pictures are backed up .*has every row/) })
    const live = await paddock(settings, 'restore', backup, '--replace')
    expect(live).toMatchObject({ code: 1, err: expect.stringContaining('A service is running on this database') })
    await service.close()

    const kept = await paddock(settings, 'restore', backup)
    expect(kept).toMatchObject({ code: 1, err: expect.stringContaining('add --replace. Nothing was changed.') })
    for (const target of [settings, await newDatabase()]) {
      const restored = await paddock(target, 'restore', backup, '--replace')
      expect(restored).toMatchObject({
        code: 0,
        out: expect.stringContaining('Checked: checksum, schema, audit, tip-log, ledger'),
      })
      service = await startTestService({}, testDatabase(target))
      expect(await answersOf(service, author, picture, service.publicUrl)).toEqual(before)
      expect((await verify(service)).problems).toEqual([])
      await newTip(service, await service.member(), (other as TestOutcome).id)
      await service.close()
    }
    expect(await paddock(settings, 'backup', join(folder, 'second'))).toMatchObject({ code: 0 })
  })

  test('a backup that is killed leaves nothing that restore takes for one', async () => {
    const settings = await newDatabase()
    await filled(settings.DATABASE_URL, 20_000)
    const env = { PATH: process.env.PATH, OPERATOR_TOKEN, ...settings }
    const killed = spawn(process.execPath, [paddockProgram, 'backup', join(folder, 'killed')], { env, cwd: folder })
    const left = join(folder, 'killed.unfinished')
    await expect.poll(() => existsSync(join(left, 'paddock.dump')), { timeout: 30_000, interval: 5 }).toBe(true)
    killed.kill('SIGKILL')
    await closed(killed)
    expect(existsSync(join(folder, 'killed'))).toBe(false)
    const refused = await paddock(settings, 'restore', left, '--replace')
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('never finished') })
  })

  test('a restore that is killed leaves the database as it was; the password is in no list of processes and no file', async () => {
    const settings = await newDatabase()
    await filled(settings.DATABASE_URL, 20_000)
    const backup = join(folder, 'to-interrupt')
    expect(await paddock(settings, 'backup', backup)).toMatchObject({ code: 0 })
    const target = await newDatabase()
    await filled(target.DATABASE_URL, 100)
    const tipsOf = ({ DATABASE_URL }: { DATABASE_URL: string }) =>
      rowsIn(DATABASE_URL, 'select count(*)::integer as tips from comment')
    const before = await tipsOf(target)
    const temporary = join(folder, 'temporary')
    mkdirSync(temporary)
    const env = { PATH: process.env.PATH, OPERATOR_TOKEN, TMPDIR: temporary, ...target }
    const killed = spawn(process.execPath, [paddockProgram, 'restore', backup, '--replace'], { env, cwd: folder })
    const [, name] = new URL(target.DATABASE_URL).pathname.split('/')
    const writing = `select count(*)::integer as found from pg_stat_activity where datname = '${name}' and application_name = 'psql'`
    const found = async () => (await rowsIn(server.url, writing))[0]?.found
    await expect.poll(found, { timeout: 60_000, interval: 2 }).toBe(1)
    const { stdout: processes } = await promisify(execFile)('ps', ['-eo', 'args'])
    expect(processes).toMatch(/psql .*--dbname=postgres:/)
    expect(processes).not.toMatch(/a%3Ab|a:b c%/)
    killed.kill('SIGKILL')
    await closed(killed)
    await expect.poll(found, { timeout: 60_000 }).toBe(0)
    expect(await tipsOf(target)).toEqual(before)
    const schemas = `select nspname from pg_namespace where nspname like 'replaced%'`
    expect(await rowsIn(target.DATABASE_URL, schemas)).toEqual([])
    expect(readdirSync(temporary)).toEqual([])
    expect(await paddock(target, 'restore', backup, '--replace')).toMatchObject({ code: 0 })
    expect(await tipsOf(target)).toEqual(await tipsOf(settings))
  })

  test('a backup for which there is no room leaves nothing', async () => {
    const settings = await newDatabase()
    await filled(settings.DATABASE_URL, 5_000)
    const backup = join(folder, 'no-room')
    const env = { PATH: process.env.PATH, OPERATOR_TOKEN, ...settings }
    const limited = promisify(execFile)(
      'bash',
      ['-c', 'ulimit -f 100; exec "$@"', 'bash', process.execPath, paddockProgram, 'backup', backup],
      { env },
    )
    await expect(limited).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/pg_dump ended with .*No backup was written/s),
    })
    expect(readdirSync(folder).filter((name) => name.startsWith('no-room'))).toEqual([])
  })

  test('of several processes that start on an old schema one makes a backup, and migrates', async () => {
    const settings = await newDatabase()
    await filled(settings.DATABASE_URL, 500)
    const checked = await paddock(settings, 'upgrade', '--check', '--json')
    expect(checked.code).toBe(0)
    expect(JSON.parse(checked.out)).toMatchObject({
      schema: FIRST_RELEASE,
      neighboursMayGoOn: false,
      backup: { needed: true },
      problems: [],
    })
    const outcomes = await Promise.all([1, 2, 3].map(() => paddock(settings, 'migrate')))
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(outcomes.filter(({ out }) => out.startsWith('Applied 0080'))).toHaveLength(1)
    const made = readdirSync(join(settings.DATA_DIR, 'backups'))
    expect(made).toEqual([expect.stringMatching(/^before-\d{4}-\d{8}T\d{6}Z$/)])
    const target = await newDatabase()
    const restored = await paddock(target, 'restore', join(settings.DATA_DIR, 'backups', made[0] as string))
    expect(restored).toMatchObject({ code: 0 })
    expect(await paddock(target, 'migrate')).toMatchObject({ out: 'The schema is up to date.\n' })
  })
})

test('client programs of another version are refused, with what to install', async () => {
  const newer = await startPostgres([], newDataFolder())
  try {
    if (existsSync(join(PLACE, '18'))) return
    const settings = { DATABASE_URL: newer.url, DATA_DIR: join(folder, 'newer') }
    await filled(newer.url, 100)
    const words = /PostgreSQL 18 needs pg_dump, pg_restore and psql of version 18, and .*: install postgresql-client-18/
    for (const commandLine of [['backup', join(folder, 'newer-backup')], ['migrate']]) {
      expect(await paddock(settings, ...commandLine)).toMatchObject({ code: 1, err: expect.stringMatching(words) })
    }
    expect(await paddock(settings, 'upgrade', '--check')).toMatchObject({ code: 1, out: expect.stringMatching(words) })
    expect(existsSync(join(folder, 'newer-backup'))).toBe(false)
    const client = await connectTo(newer.url)
    expect((await client.query('select max(number) as last from migration')).rows).toEqual([{ last: FIRST_RELEASE }])
    await client.end()
    const off = await paddock({ ...settings, BACKUP_BEFORE_UPGRADE: 'off' }, 'migrate')
    expect(off).toMatchObject({ code: 0, out: expect.stringMatching(/^Applied 0080/) })
  } finally {
    await newer.remove()
  }
})

async function rowsIn(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = await connectTo(url)
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function filled(url: string, tips: number): Promise<void> {
  const database = openPostgres({ url, statementTimeoutMs: 300_000 })
  await database.script(MIGRATION_TABLE)
  for (const { number, name, sql, checksum } of readMigrations('postgres').filter(
    ({ number }) => number <= FIRST_RELEASE,
  )) {
    await database.script(sql)
    await database.run(recordMigration, { number, name, checksum, now: 1 })
  }
  await fillFirstRelease(database, tips)
  await database.close()
}

function closed(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('close', resolve))
}
