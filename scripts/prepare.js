// Makes the npm scripts work on a fresh clone: installs the packages of the lock file and builds the web applications, if they
// are missing or stale. Plain JavaScript, because it runs on the system's own Node (20 or later), before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildWeb } from './build-web.js'
import { withLock } from './lock.js'
import { findNode, NO_NODE } from './node.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = `${root}node_modules/.installed`
const lockFile = `${root}.install-lock`

/** Returns the path of the Node that runs the project. */
export function prepare() {
  // The platform is part of the stamp, because a folder copied from another machine has that machine's binaries.
  const lock = createHash('sha256').update(readFileSync(`${root}package-lock.json`))
  const wanted = `${lock.digest('hex')} ${process.platform}-${process.arch}\n`
  const isInstalled = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted
  const installIfMissing = () => {
    if (!isInstalled() && install()) writeFileSync(stampFile, wanted)
  }
  // Of `npm start` and `npm test` in a fresh clone one installs, and the other waits: each would delete the other's files.
  if (!isInstalled()) withLock(lockFile, installIfMissing, sayThatAnotherInstalls)
  if (!isInstalled()) {
    fail('The installation failed (see above). Check that npm reaches its registry, then run the command again.')
  }
  const node = findNode()
  if (node === undefined) fail(NO_NODE)
  // If this fails it prints why: a service without its console is better than none.
  buildWeb()
  return node
}

/** Returns whether it succeeded. */
function install() {
  console.error('Installing the packages of package-lock.json (once; half a minute or so) ...')
  const npm = process.env.npm_execpath
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  // No package needs its install script. NODE_ENV=production would omit the project's own Node and the tools that build
  // the web applications.
  const options = ['--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  const result = spawnSync(command, [...first, 'ci', ...options, '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  return result.status === 0
}

function sayThatAnotherInstalls(pid) {
  console.error(`Waiting for process ${pid}, which installs the packages (if it does not, delete ${lockFile}) ...`)
}

function fail(message) {
  console.error(`\n${message}`)
  process.exit(1)
}
