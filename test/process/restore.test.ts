// What `paddock restore` takes for a backup, and what it refuses before anything is replaced.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/commands/backup-checks.ts'
import { MIGRATION_TABLE, readMigrations } from '../../src/platform/database/migrate.ts'
import { lockDatabase } from '../../src/platform/database/sqlite/backup.ts'
import { toSqlite } from '../../src/platform/database/sqlite/connection.ts'
import { newDataFolder } from '../harness/data-folder.ts'
import { startTestService } from '../harness/service.ts'
import { paddockProgram } from '../harness/service-program.ts'
import { newMatch, newTip, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { logged } from '../harness/tip-log.ts'
import { deposit, newDepositor } from '../harness/wallets.ts'

const folder = newDataFolder()
const DATA_DIR = join(folder, 'data')
const DATABASE = join(DATA_DIR, 'paddock.db')
const WHOLE = join(folder, 'backup')
/** As earlier versions wrote it. */
const BACKUP = join(folder, 'backup.db')
let before: Buffer

beforeAll(async () => {
  const service = await startTestService({ LOG_LEVEL: 'silent' }, { settings: { DATA_DIR }, remove: async () => {} })
  const [author, payer] = [await service.member(), await newDepositor(service)]
  await deposit(service, { ...payer, amount: '5.00' })
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  await newTip(service, author, outcome.id, { more: '&priceNum=5&priceDen=2' })
  await newTip(service, author, ((await newMatch(service)) as [TestOutcome])[0].id)
  await settle(service, outcome, 'win')
  await logged(service.context.database)
  for (const id of [author.id, payer.id]) await service.operator('GET', `/operator/v1/customers/${id}`)
  const made = await paddock('backup', WHOLE)
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('are right') })
  copyFileSync(join(WHOLE, 'paddock.db'), BACKUP)
  writeChecksum(BACKUP)
  await service.close()
  before = readFileSync(DATABASE).subarray(100)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const paddock = (...commandLine: string[]) => paddockWith({}, ...commandLine)

async function paddockWith(environment: Record<string, string>, ...commandLine: string[]) {
  const env = { PATH: process.env.PATH, DATA_DIR, ...environment }
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

/** A copy of the backup that was changed. `withChecksum`: by somebody who knew about the file beside it. */
function changedBackup(name: string, change: string | ((file: string) => void), { withChecksum = false } = {}): string {
  const file = join(folder, `${name}.db`)
  copyFileSync(BACKUP, file)
  if (typeof change === 'string') inDatabase(file, (connection) => connection.exec(change))
  else change(file)
  if (withChecksum) writeChecksum(file)
  return file
}

function writeChecksum(file: string): void {
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex')
  writeFileSync(`${file}.sha256`, `${sum}  ${basename(file)}\n`)
}

function inDatabase(file: string, work: (connection: DatabaseSync) => void): void {
  const connection = new DatabaseSync(file)
  work(connection)
  connection.close()
}

async function expectRefusal(words: string | RegExp, ...commandLine: string[]): Promise<void> {
  const refused = await paddock('restore', '--replace', ...commandLine)
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(words) })
  expect(refused.err.trim().split('\n')).toHaveLength(1)
  expect(existsSync(`${DATABASE}.incoming`)).toBe(false)
  // SQLite notes in the header how the file is locked.
  expect(readFileSync(DATABASE).subarray(100).equals(before)).toBe(true)
}

describe('restore refuses', () => {
  test('what is no file, an empty one and other files', async () => {
    await expectRefusal('There is no /', join(folder, 'absent.db'))
    await expectRefusal('/dev/zero is no folder', '/dev/zero')
    const empty = changedBackup('empty', (file) => writeFileSync(file, ''), { withChecksum: true })
    await expectRefusal('it has no table of migrations', empty)
    const junk = changedBackup('junk', (file) => writeFileSync(file, 'no database'.repeat(1000)), {
      withChecksum: true,
    })
    await expectRefusal('is damaged or not a Paddock database', junk)
  })

  test('a backup without its SHA-256, unless told to, and one with another', async () => {
    const file = changedBackup('alone', () => {})
    await expectRefusal(/There is no \S+\.sha256.*--without checksum/, file)
    writeFileSync(`${file}.sha256`, 'junk')
    await expectRefusal('its SHA-256 is not the one beside it', file)
    expect(await paddock('restore', file, '--without', 'checks')).toMatchObject({
      code: 2,
      err: expect.stringContaining('checksum,schema,audit,tip-log,ledger'),
    })
  })

  test('64 bytes that were overwritten, wherever they are', async () => {
    copyFileSync(`${BACKUP}.sha256`, join(folder, 'overwritten.db.sha256'))
    const { size } = statSync(BACKUP)
    for (let place = 0; place < 4; place++) {
      const bytes = readFileSync(BACKUP)
      bytes.fill(0xa5, Math.floor(((size - 64) * place) / 3), Math.floor(((size - 64) * place) / 3) + 64)
      await expectRefusal(
        'its SHA-256 is not the one beside it',
        changedBackup('overwritten', (file) => writeFileSync(file, bytes)),
      )
    }
  })

  test.each([
    ['a dropped table', 'drop table ranking_window', 'schema', 'table ranking_window is missing'],
    ['a dropped trigger', 'drop trigger transfer_no_update', 'schema', 'trigger transfer_no_update is missing'],
    [
      'an added trigger',
      'create trigger x after insert on transfer begin select 1; end',
      'schema',
      'trigger x was added',
    ],
    ['a dropped index', 'drop index event_log_customer', 'schema', 'index event_log_customer is missing'],
    [
      'a changed view',
      'drop view new_event; create view new_event as select 1',
      'schema',
      'trigger new_event_logged is missing; view new_event was changed',
    ],
    ['a removed audit entry', 'delete from audit where id = 2', 'audit', 'Entry 2 was removed'],
    [
      'a removed end of the audit trail',
      'delete from audit where id = (select max(id) from audit)',
      'audit',
      'removed from the end',
    ],
    ['a removed head of the audit trail', 'delete from audit_head', 'audit', 'head of the chain was removed'],
    ['a removed entry of the log of tips', 'delete from tip_log_entry where position = 0', 'tip-log', 'Entry 0 of 3'],
    [
      'an added entry of the log of tips',
      `insert into tip_log_entry (position, kind, comment_id, data) select 3, 'state', min(id), '' from comment`,
      'tip-log',
      'Entry 3 is beyond',
    ],
    [
      'a tip that was changed',
      `update comment set price_num = 9 where id = (select min(id) from comment)`,
      'tip-log',
      'do not give the signed root',
    ],
    ['a grade that was changed', `update tip_grade set profit = profit + 1`, 'tip-log', 'its profit is'],
    ['a removed log of tips', 'delete from tip_log', 'tip-log', 'The row of the log'],
    [
      'a balance that was changed',
      `update account set balance = balance + 1 where kind = 'customer'`,
      'ledger',
      'has the balance',
    ],
  ])('%s, also with a new SHA-256', async (name, sql, check, words) => {
    const file = changedBackup(name.replaceAll(' ', '-'), sql, { withChecksum: true })
    await expectRefusal(new RegExp(`${words}.*--without ${check}\\. Nothing was changed`), file)
  })

  test('migrations of a newer version, changed ones and a gap', async () => {
    const newer = `insert into migration (number, name, checksum, applied_at) values (9999, '9999-later', 'x', 0)`
    await expectRefusal('newer version', changedBackup('newer', newer, { withChecksum: true }))
    const gap = changedBackup('gap', 'delete from migration where number = 50', { withChecksum: true })
    await expectRefusal('its table of migrations lacks 0050-', gap)
    const none = changedBackup('none', 'delete from migration', { withChecksum: true })
    await expectRefusal('its table of migrations is empty', none)
  })
})

describe('restore refuses a folder', () => {
  function changedFolder(name: string, change: (folder: string) => void): string {
    const copy = join(folder, name)
    cpSync(WHOLE, copy, { recursive: true })
    change(copy)
    return copy
  }

  function changeManifest(change: object): (folder: string) => void {
    return (copy) => {
      const file = join(copy, 'manifest.json')
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change }))
    }
  }

  async function expectFolderRefused(words: string, path: string, environment: Record<string, string> = {}) {
    const refused = await paddockWith(environment, 'restore', '--replace', path)
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining(words) })
    expect(refused.err).toContain('Nothing was changed.')
    expect(readFileSync(DATABASE).subarray(100).equals(before)).toBe(true)
  }

  test('that was never finished, is of a newer version or of PostgreSQL', async () => {
    await expectFolderRefused(
      'never finished',
      changedFolder('unfinished', (copy) => rmSync(join(copy, 'manifest.json'))),
    )
    await expectFolderRefused(
      'manifest.json is damaged',
      changedFolder('cut', (copy) => writeFileSync(join(copy, 'manifest.json'), '{"f')),
    )
    await expectFolderRefused(
      'a newer version of Paddock',
      changedFolder('newer-format', changeManifest({ format: 2 })),
    )
    await expectFolderRefused(
      'migration 9999) wrote it',
      changedFolder('newer-schema', changeManifest({ schema: 9999 })),
    )
    await expectFolderRefused(
      'of a PostgreSQL, and the settings',
      changedFolder('other', changeManifest({ engine: 'postgres' })),
    )
    await expectFolderRefused('settings are those of a PostgreSQL', WHOLE, { DATABASE_URL: 'postgres://nowhere/x' })
  })

  test('with a file that is missing or was changed', async () => {
    const missing = changedFolder('missing', (copy) => rmSync(join(copy, 'sandbox-gateway.db')))
    await expectFolderRefused('its file sandbox-gateway.db is missing', missing)
    const changed = changedFolder('changed', (copy) => writeFileSync(join(copy, 'sandbox-gateway.db'), 'x'))
    await expectFolderRefused('its file sandbox-gateway.db is not as it was written', changed)
  })
})

describe('restore accepts', () => {
  /** Each replaces the database. */
  async function expectRestored(words: string, ...commandLine: string[]): Promise<void> {
    expect(await paddock('restore', '--replace', ...commandLine)).toMatchObject({
      code: 0,
      out: expect.stringContaining(words),
    })
    expect(await paddock('migrate')).toMatchObject({ code: 0, out: 'The schema is up to date.\n' })
  }

  test('a backup of an older version, and migrates it', async () => {
    const migrations = readMigrations('sqlite').slice(0, -10)
    const older = changedBackup(
      'older',
      (file) => {
        rmSync(file)
        inDatabase(file, (connection) => {
          connection.exec(MIGRATION_TABLE)
          const record = connection.prepare('insert into migration values (?, ?, ?, 1)')
          for (const { number, name, sql, checksum } of migrations) {
            connection.exec(toSqlite(sql))
            record.run(number, name, checksum)
          }
        })
      },
      { withChecksum: true },
    )
    await expectRestored('Checked: checksum, schema, audit, tip-log, ledger', older)
  })

  test('changes of tips that their log does not have yet', async () => {
    const changes = `
      update comment set state = 'deactivated', listed = null where id = (select max(id) from comment);
      insert into comment_work (outcome_id, position) select outcome_id, 0 from comment where status = 'W';
      update tip_grade set profit = profit + 1`
    await expectRestored('tip-log', changedBackup('waiting', changes, { withChecksum: true }))
  })

  test('what does not pass a check that is left out, and names it', async () => {
    const changes = `create index own on comment (text); delete from audit where id = 2; delete from tip_log_entry;
      update account set balance = balance + 1 where kind = 'customer'`
    const file = changedBackup('known', changes)
    const without = ['--without', 'checksum,schema,audit,tip-log']
    expect(await paddock('restore', '--replace', file, ...without)).toMatchObject({
      code: 1,
      err: expect.stringContaining('--without ledger'),
    })
    await expectRestored(
      'Checked: pages. Not checked: checksum, schema, audit, tip-log, ledger.',
      file,
      '--without',
      CHECKS.join(),
    )
    const backup = await paddock('backup', join(folder, 'of-known'))
    expect(backup).toMatchObject({
      code: 1,
      out: expect.stringContaining('Restoring it needs --without schema,audit,tip-log,ledger:\n- its schema'),
    })
    expect(existsSync(join(folder, 'of-known', 'manifest.json'))).toBe(true)
  })

  test('by one step from one database to the other: there is one at every moment', () => {
    const file = changedBackup('in-place', () => {})
    const held = lockDatabase(file)
    held.setAside(`${file}.aside`)
    expect([existsSync(file), existsSync(`${file}.aside`)]).toEqual([true, true])
    held.release()
  })

  test.runIf(process.getuid?.() === 0)('as root, what the account of the data folder can use', async () => {
    const owned = join(folder, 'owned')
    mkdirSync(owned, { mode: 0o700 })
    chownSync(owned, 65_534, 65_534)
    const settings = { DATA_DIR: owned }
    expect(await paddockWith(settings, 'restore', WHOLE)).toMatchObject({ code: 0 })
    expect(await paddockWith(settings, 'restore', WHOLE, '--replace')).toMatchObject({ code: 0 })
    expect(await paddockWith(settings, 'backup')).toMatchObject({ code: 0 })
    const names = readdirSync(owned, { recursive: true, encoding: 'utf8' })
    expect(names).toEqual(expect.arrayContaining(['paddock.db', 'serve.lock', 'pictures', 'backups']))
    expect(names.filter((name) => statSync(join(owned, name)).uid !== 65_534)).toEqual([])
  })

  test('a backup in place of a damaged database', async () => {
    writeFileSync(DATABASE, 'damaged'.repeat(1000))
    await expectRestored('replaced-', BACKUP)
    expect(readdirSync(DATA_DIR).filter((name) => name.startsWith('paddock.db.replaced-'))).not.toEqual([])
  })
})
