// Installs the peers into this folder, from a lock file of its own: they are no part of the project's installation.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathOf } from '../processes.ts'

const FOLDER = pathOf('peers')
const STAMP = join(FOLDER, 'node_modules', '.installed')

export function installPeers(log: (line: string) => void): void {
  const lock = readFileSync(join(FOLDER, 'package-lock.json'), 'utf8')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return
  log('installing the peers into bench/peers (once; 0.5 GB, a minute or two)')
  // No peer needs its install script.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', ['ci', ...options], { cwd: FOLDER, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('npm could not install the peers (see above)')
  writeFileSync(STAMP, lock)
}

export function versionOf(name: string): string {
  return JSON.parse(readFileSync(join(FOLDER, 'node_modules', name, 'package.json'), 'utf8')).version
}
