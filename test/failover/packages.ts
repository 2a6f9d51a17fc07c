// The programs of the cluster, from packages of Debian or Ubuntu.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'

const POSTGRESQL = '/usr/lib/postgresql'

/** A file of each package. PostgreSQL is where any version of it has its programs. */
const FILES: Record<string, () => boolean> = {
  'etcd-server': () => existsSync('/usr/bin/etcd'),
  haproxy: () => existsSync('/usr/sbin/haproxy'),
  patroni: () => existsSync('/usr/bin/patroni'),
  pgbouncer: () => existsSync('/usr/sbin/pgbouncer'),
  postgresql: () => postgresVersions().length > 0,
  'python3-etcd': () => existsSync('/usr/lib/python3/dist-packages/etcd/__init__.py'),
}

const OPTIONAL = 'pgbouncer'

export const PACKAGES = Object.keys(FILES).filter((name) => name !== OPTIONAL)

export function missingPackages(withPgBouncer: boolean): string[] {
  return Object.entries(FILES)
    .filter(([name, isThere]) => (withPgBouncer || name !== OPTIONAL) && !isThere())
    .map(([name]) => name)
}

function postgresVersions(): number[] {
  if (!existsSync(POSTGRESQL)) return []
  return readdirSync(POSTGRESQL)
    .map(Number)
    .filter((version) => existsSync(`${POSTGRESQL}/${version}/bin/postgres`))
    .sort((one, other) => other - one)
}

/** Of the newest version that is installed. */
export function postgresPrograms(): { version: number; binFolder: string } {
  const [version = 0] = postgresVersions()
  return { version, binFolder: `${POSTGRESQL}/${version}/bin` }
}

const SERVICES: Record<string, string> = {
  'etcd-server': 'etcd',
  haproxy: 'haproxy',
  patroni: 'patroni',
  pgbouncer: 'pgbouncer',
  postgresql: 'postgresql',
}

/** Their services are neither started nor enabled: the script runs its own. Returns why it failed, or null. */
export function installPackages(names: string[]): string | null {
  if (process.getuid?.() !== 0) return '--install needs root'
  const policy = keepServicesOff()
  try {
    const failure = runAptGet('update') ?? runAptGet('install', '--yes', '--no-install-recommends', ...names)
    // Fails where there is no systemd, and nothing to disable.
    spawnSync('systemctl', ['disable', '--quiet', ...names.flatMap((name) => SERVICES[name] ?? [])])
    return failure
  } finally {
    policy.end()
  }
}

function runAptGet(...args: string[]): string | null {
  const { status, error } = spawnSync('apt-get', args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (error !== undefined) return `apt-get cannot be run: ${error.message}`
  return status === 0 ? null : `apt-get ${args[0]} ended with ${status}`
}

const POLICY = '/usr/sbin/policy-rc.d'

/** Debian asks this file whether a package may start its service; 101 says no. */
function keepServicesOff(): { end(): void } {
  if (existsSync(POLICY)) return { end() {} }
  writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  return { end: () => rmSync(POLICY, { force: true }) }
}
