import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diskCheck } from '../../src/operator/doctor/disk.ts'
import { bounded, examine } from '../../src/operator/doctor/doctor.ts'
import { memoryCheck } from '../../src/operator/doctor/memory.ts'
import type { Check } from '../../src/operator/health/checks.ts'
import { readSettings } from '../../src/platform/config/config.ts'
import { adyenSettings, startFakeAdyen } from '../harness/adyen.ts'
import { accessKeyId, secretAccessKey, startBucket } from '../harness/bucket.ts'
import { engine, type Json, newTestDatabase, type Settings, useService } from '../harness/service.ts'

const service = useService()

const tls = (name: string) => new URL(`../harness/tls/${name}.pem`, import.meta.url).pathname
const YEAR_MS = 365 * 86_400_000

async function checksWith(settings: Settings, now = Date.now): Promise<Check[]> {
  const { config, problems } = readSettings({ ...settingsOfService(), ...settings })
  const checks: Check[] = []
  for await (const check of examine({ config, settingProblems: problems, now })) checks.push(check)
  return checks
}

/** Those of the database of the service. */
function settingsOfService(): Settings {
  const { dataFolder, databaseUrl } = service.context.config
  return { DATA_DIR: dataFolder, ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }) }
}

const titled = (checks: Check[], title: string) => checks.filter((one) => one.title === title)

async function answering(listener: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

test('a service that is well passes all, for an auditor too, and the read is in the audit trail', async () => {
  const token = (await service.operator('POST', '/operator/v1/tokens', { name: 'Doctor', role: 'auditor' })).body.token
  const { status, body } = await service.operator('GET', '/operator/v1/health/doctor', undefined, token)
  expect(status).toBe(200)
  expect(body.checks.filter((one: Json) => one.state !== 'good')).toEqual([])
  expect(body.state).toBe('good')
  const names = body.checks.map((one: Json) => one.name)
  expect(names.slice(0, 5)).toEqual(['settings', 'files', 'disk', 'memory', 'database'])
  if (engine === 'postgres') expect(names).toEqual(expect.arrayContaining(['rights', 'connections', 'clock']))
  const { items } = (await service.operator('GET', '/operator/v1/audit')).body
  expect(items).toContainEqual(expect.objectContaining({ actor: 'Doctor', action: 'runDoctor' }))
  const moderator = (await service.operator('POST', '/operator/v1/tokens', { name: 'No doctor', role: 'moderator' }))
    .body
  expect((await service.operator('GET', '/operator/v1/health/doctor', undefined, moderator.token)).status).toBe(403)
})

test('every mistake of the settings is a line, beside the checks that they leave', async () => {
  const checks = await checksWith({ PORT: 'x', TLS_CERT: tls('cert'), ADYEN_APIKEY: 'a-secret', MODE: 'production' })
  const settings = titled(checks, 'Settings')
  expect(settings.filter((one) => one.state === 'critical').map((one) => one.detail)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('PORT=x'),
      expect.stringContaining('TLS_KEY is not set'),
      expect.stringContaining('production needs a real gateway'),
    ]),
  )
  expect(settings.find((one) => one.state === 'warning')?.detail).toBe(
    'There is no setting ADYEN_APIKEY; did you mean ADYEN_API_KEY?',
  )
  expect(titled(checks, 'Schema')).toMatchObject([{ state: 'good' }])
  expect(JSON.stringify(checks)).not.toContain('a-secret')
})

test('a setting of an earlier version, with what to set instead', async () => {
  const [gone] = titled(await checksWith({ ADYEN_PAYOUT_KEY: 'a-secret' }), 'Settings')
  expect(gone).toMatchObject({
    state: 'warning',
    detail: 'ADYEN_PAYOUT_KEY is no longer read (ADYEN_TRANSFERS_KEY).',
  })
})

test('the names of other programs are none of ours', () => {
  const environment = {
    HOME: '/',
    PATH: '/bin',
    HOSTNAME: 'a',
    npm_config_cache: 'b',
    NODE_ENV: 'c',
    TERM_PROGRAM: 'd',
  }
  expect(readSettings(environment).config.unknownSettings).toEqual([])
})

test('files that others may read', async () => {
  const { settings, remove } = await newTestDatabase()
  const token = join(settings.DATA_DIR as string, 'operator-token')
  writeFileSync(token, 'secret\n')
  chmodSync(token, 0o644)
  const key = join(settings.DATA_DIR as string, 'key.pem')
  writeFileSync(key, '')
  chmodSync(key, 0o640)
  const files = titled(await checksWith({ ...settings, TLS_CERT: tls('cert'), TLS_KEY: key }), 'Files')
  expect(files).toMatchObject([{ state: 'critical', advice: `chmod 600 ${token}` }])
  chmodSync(token, 0o640)
  expect(titled(await checksWith(settings), 'Files')).toMatchObject([{ state: 'warning' }])
  await remove()
})

test('a data folder that would be in a file', async () => {
  const { settings, remove } = await newTestDatabase()
  const file = join(settings.DATA_DIR as string, 'file')
  writeFileSync(file, '', { mode: 0o600 })
  const within = await checksWith({ ...settings, DATA_DIR: join(file, 'data') })
  expect(titled(within, 'Files')).toMatchObject([{ state: 'critical', detail: expect.stringContaining('is a file') }])
  await remove()
})

test('disk and memory by what is left', () => {
  expect(diskCheck('data', 100e6, 0).state).toBe('critical')
  expect(diskCheck('data', 5e9, 9e9)).toMatchObject({ state: 'warning', detail: expect.stringContaining('5.0 GB') })
  expect(diskCheck('data', 90e9, 9e9).state).toBe('good')
  const need = { processes: 5, busy: 1e9, bodies: 640e6 }
  expect([900e6, 1.5e9, 2e9].map((limit) => memoryCheck(limit, need).state)).toEqual(['critical', 'warning', 'good'])
})

test('certificates: expiry, the key and the chain', async () => {
  const files = { TLS_CERT: tls('cert'), TLS_KEY: tls('key') }
  const fresh = titled(await checksWith(files), 'TLS_CERT')
  expect(fresh).toMatchObject([{ state: 'good' }, { state: 'warning', detail: 'It is signed by itself.' }])
  const [expired] = titled(await checksWith(files, () => Date.parse('2226-01-01')), 'TLS_CERT')
  expect(expired).toMatchObject({ state: 'critical', detail: expect.stringContaining('expired on 2126-10-22') })
  const [soon] = titled(await checksWith(files, () => Date.parse('2126-10-10')), 'TLS_CERT')
  expect(soon).toMatchObject({ state: 'warning', detail: expect.stringContaining('12 more days') })
  const other = { OPERATOR_TLS_CERT: tls('cert'), OPERATOR_TLS_KEY: tls('rsa-key') }
  const mismatched = titled(await checksWith(other), 'OPERATOR_TLS_CERT')
  expect(mismatched).toContainEqual(
    expect.objectContaining({ state: 'critical', detail: expect.stringContaining('not that of') }),
  )
  const { settings, remove } = await newTestDatabase()
  const locked = join(settings.DATA_DIR as string, 'locked.pem')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const secret = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open' } as const
  writeFileSync(locked, privateKey.export(secret), { mode: 0o600 })
  const withPassphrase = titled(await checksWith({ ...files, TLS_KEY: locked }), 'TLS_CERT')
  expect(withPassphrase).toContainEqual(
    expect.objectContaining({ state: 'critical', detail: `The key in ${locked} has a passphrase.` }),
  )
  await remove()
  const absent = titled(await checksWith({ TLS_CERT: '/nowhere.pem', TLS_KEY: tls('key') }), 'TLS_CERT')
  expect(absent).toMatchObject([{ state: 'critical', detail: expect.stringContaining('ENOENT') }])
})

test('a chain: its order, an intermediate that ends before the certificate, and one that is not valid yet', async () => {
  const files = { TLS_CERT: tls('chain'), TLS_KEY: tls('key') }
  const statesAt = async (day: string, settings: Settings = files) =>
    titled(await checksWith(settings, () => Date.parse(day)), 'TLS_CERT').map(
      ({ state, detail }) => `${state} ${detail}`,
    )
  // Nobody knows the authority of the tests; where somebody does: test/process/doctor.test.ts.
  const unknown = 'warning Its chain does not lead to an authority that this machine knows.'
  expect(await statesAt('2090-01-01')).toEqual([expect.stringMatching(/^good .*2109-01-08/), unknown])
  expect(await statesAt('2100-10-01')).toContain(
    'warning An intermediate certificate of the file expires on 2100-10-22.',
  )
  expect(await statesAt('2101-01-01')).toContain(
    'critical An intermediate certificate of the file expired on 2100-10-22.',
  )
  expect(await statesAt('2020-01-01')).toContainEqual(
    expect.stringMatching(/^critical .*valid only from 2026-11-19 on/),
  )
  const { settings, remove } = await newTestDatabase()
  const reversed = join(settings.DATA_DIR as string, 'reversed.pem')
  const blocks = readFileSync(tls('chain'), 'utf8').split(/(?=-----BEGIN)/)
  writeFileSync(reversed, [blocks[0], readFileSync(tls('authority'), 'utf8'), blocks[1]].join(''))
  expect(await statesAt('2090-01-01', { ...files, TLS_CERT: reversed })).toContain(
    'warning Certificate 2 of the file did not issue the one before it.',
  )
  await remove()
})

test('the bucket of pictures: the right key, wrong settings, and none', async () => {
  const bucket = await startBucket()
  const settings: Settings = {
    PICTURES: 's3',
    S3_ENDPOINT: bucket.endpoint,
    S3_BUCKET: 'faces',
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  }
  const lineWith = async (more: Settings) => {
    const [line] = titled(await checksWith({ ...settings, ...more }), 'Pictures')
    expect(JSON.stringify(line)).not.toMatch(/wJalrXUtnFEMI|AKIAIOSFODNN7EXAMPLE|not-the-secret/)
    return `${line?.state} ${line?.detail}`
  }
  expect(await lineWith({})).toMatch(/^good /)
  expect(bucket.received.map(({ method }) => method)).toEqual(['GET'])
  expect(await lineWith({ S3_BUCKET: 'elsewhere' })).toMatch(/^critical .*404 \(NoSuchBucket\)\.$/)
  expect(await lineWith({ S3_SECRET_ACCESS_KEY: 'not-the-secret' })).toMatch(/^critical .*SignatureDoesNotMatch/)
  expect(await lineWith({ S3_REGION: 'eu-west-9' })).toMatch(/^critical .*InvalidAccessKeyId/)
  bucket.troubles.push(404)
  expect(await lineWith({})).toMatch(/^critical .*status 404\.$/)
  await bucket.stop()
  expect(await lineWith({})).toMatch(/^critical .*ECONNREFUSED\.$/)
  const denying = await answering((_, response) => {
    response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
  })
  expect(await lineWith({ S3_ENDPOINT: denying.url })).toMatch(/^warning .*AccessDenied/)
  denying.close()
})

test('the gateway: keys that it accepts, refuses, and no answer', async () => {
  const adyen = await startFakeAdyen()
  const settings = { ...adyenSettings(adyen.url), GATEWAY: 'adyen', GATEWAY_TIMEOUT_MS: '500' }
  const states = async (more: Settings) =>
    titled(await checksWith({ ...settings, ...more }), 'Payment gateway').map((one) => one.state)
  expect(await states({})).toEqual(['good', 'good'])
  expect(adyen.payments.size + adyen.transfers.size).toBe(0)
  expect(await states({ ADYEN_API_KEY: 'wrong' })).toEqual(['critical', 'good'])
  expect(await states({ ADYEN_TRANSFERS_KEY: 'wrong' })).toEqual(['good', 'critical'])
  expect(await states({ ADYEN_MERCHANT_ACCOUNT: 'Another' })).toEqual(['critical', 'good'])
  await adyen.close()
  expect(await states({})).toEqual(['warning', 'warning'])
  const silent = await answering(() => {})
  const [late] = titled(await checksWith({ ...settings, ADYEN_URL: silent.url }), 'Payment gateway')
  expect(late?.detail).toContain('(TimeoutError)')
  silent.close()
})

test('the public address: ours, another’s, none, and its clock', async () => {
  const at = async (url: string, now = Date.now) => {
    const checks = await checksWith({ PUBLIC_URL: url }, now)
    return [
      titled(checks, 'Public address')[0]?.state,
      checks.find((one) => one.detail.includes('the public address'))?.state,
    ]
  }
  expect(await at(service.publicUrl)).toEqual(['good', 'good'])
  expect((await at(service.publicUrl, () => Date.now() + YEAR_MS))[1]).toBe('critical')
  const another = await answering((_, response) => response.writeHead(404).end())
  expect((await at(another.url))[0]).toBe('critical')
  another.close()
  expect((await at(another.url))[0]).toBe('warning')
  expect((await at('http://nobody.invalid'))[0]).toBe('critical')
})

test('a check that fails or takes too long is critical, and stops no other', async () => {
  const examined = { ...readSettings(settingsOfService()), settingProblems: [], now: Date.now }
  const failing = { name: 'one', title: 'One', run: () => Promise.reject(new Error('it broke')) }
  const hanging = { name: 'two', title: 'Two', run: () => new Promise<Check[]>(() => {}) }
  expect(await bounded(hanging, examined, 20)).toMatchObject([{ name: 'two', state: 'critical' }])
  const checks: Check[] = []
  const well = { name: 'three', title: 'Three', run: () => [] }
  for await (const check of examine(examined, [failing, well])) checks.push(check)
  expect(checks).toMatchObject([{ name: 'one', state: 'critical', detail: expect.stringContaining('it broke') }])
})

test('a schema that is behind, changed or newer', async () => {
  const { database } = service.context
  const schema = async () => titled(await checksWith({}), 'Schema')[0]
  await database.script(`insert into migration values (9999, '9999-later', 'x', 0)`)
  expect(await schema()).toMatchObject({ state: 'critical', detail: expect.stringContaining('newer version') })
  await database.script('delete from migration where number = 9999')
  await database.script(
    'create table kept as select * from migration where number = (select max(number) from migration)',
  )
  await database.script('delete from migration where number = (select max(number) from migration)')
  expect(await schema()).toMatchObject({ state: 'warning', detail: expect.stringContaining('1 ') })
  await database.script('insert into migration select * from kept')
  await database.script('drop table kept')
  expect(await schema()).toMatchObject({ state: 'good' })
})

test.runIf(engine === 'sqlite')('a damaged file', async () => {
  const { settings, remove } = await newTestDatabase('empty')
  writeFileSync(join(settings.DATA_DIR as string, 'paddock.db'), 'this is no database'.repeat(1000))
  expect(titled(await checksWith(settings), 'Database')).toMatchObject([{ state: 'critical' }])
  await remove()
})

test.runIf(engine === 'postgres')('a role without rights, too few connections, and a wrong password', async () => {
  const { database, config } = service.context
  const url = new URL(config.databaseUrl as string)
  url.username = 'doctor_limited'
  const checks = () => checksWith({ DATABASE_URL: url.href })
  await database.script('create role doctor_limited login connection limit 5')
  try {
    const limited = await checks()
    expect(titled(limited, 'Rights in the database')).toMatchObject([{ state: 'critical' }])
    expect(titled(limited, 'Connections')).toMatchObject([{ state: 'critical' }])
    await database.script('grant select, insert, update, delete on all tables in schema public to doctor_limited')
    expect(titled(await checks(), 'Rights in the database')).toMatchObject([{ state: 'warning' }])
  } finally {
    await database.script('drop owned by doctor_limited')
    await database.script('drop role doctor_limited')
  }
  expect(titled(await checks(), 'Database')).toMatchObject([{ state: 'critical' }])
})
