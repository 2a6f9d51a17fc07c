// Makes `npm start` and `npm test` work on a fresh clone: installs what the lock file names when it is missing or
// stale, checks that a Node able to run TypeScript will be used, and builds the console when it is missing or stale.
// Plain JavaScript, because it must run on the system's own Node (20 or later), before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = `${root}node_modules/.installed`
// The platform is part of the stamp: a folder copied from another machine holds that machine's binaries.
const wanted = `${createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex')} ${process.platform}-${process.arch}\n`

if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== wanted) install()
if (!existsSync(`${root}node_modules/node/bin/node`) && Number(process.versions.node.split('.')[0]) < 24) {
  fail(`Paddock runs on Node 24 or later, this is ${process.version}. Install Node 24, or remove node_modules and run
this command again: it brings a Node of its own (the npm package "node").`)
}
await import('./build-console.js')

function install() {
  console.error('Installing what package-lock.json names (once; half a minute or so) ...')
  const npm = process.env.npm_execpath
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  // Not `npm ci`: it refuses a lock file that lacks the optional binaries of other platforms. With --no-save, `install`
  // takes the versions of the lock file too, and leaves the file as it is.
  // NODE_ENV=production would leave out the project's own Node and the tests' tools.
  const result = spawnSync(
    command,
    [...first, 'install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
    },
  )
  if (result.status !== 0) {
    fail('Installing failed (see above). Check that the npm registry can be reached, then run the command again.')
  }
  writeFileSync(stampFile, wanted)
}

function fail(message) {
  console.error(`\n${message}`)
  process.exit(1)
}
