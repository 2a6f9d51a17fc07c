// Builds the console if it is missing or stale; installs nothing. Plain JavaScript for Node 20 or later.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { refuseArguments } from './command-line.js'
import { findNode, NO_NODE } from './node.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const built = `${root}console/dist`
const stamp = `${built}/.stamp`
/** The only file outside console/ in the build; of others the console imports types, which are erased. */
const sharedTheme = `${root}src/reference/theme.css`

const USAGE = `Usage: npm run build:console

  Builds the console into console/dist, if it is missing or stale. If that fails, prints the whole error and exits with 1.`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refuseArguments(USAGE)
  const error = buildIfStale()
  if (error !== undefined) console.error(error)
  process.exitCode = error === undefined ? 0 : 1
}

/** For callers that can continue without a console: prints three lines instead of the whole error. */
export function buildConsole() {
  const error = buildIfStale()
  if (error === undefined) return
  console.error(`The console could not be built: ${firstLine(error)}
The service works without it${existsSync(stamp) ? ', and serves the console that was built before' : ''}.
To see the whole error, run: npm run build:console`)
}

/** Returns the text of the error, or undefined. */
export function buildIfStale() {
  const wanted = `${hashOfSources()}\n`
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return undefined
  console.error('Building the console (once; a few seconds) ...')
  const node = findNode()
  return node === undefined ? NO_NODE : build(node, wanted)
}

/** Covers everything that the build depends on: sources, settings, and the versions of the packages. */
function hashOfSources() {
  const hash = createHash('sha256')
    .update(readFileSync(`${root}package-lock.json`))
    .update(readFileSync(sharedTheme))
  const files = readdirSync(`${root}console`, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => !/^(dist|\.build-)/.test(name)).sort()) {
    const path = `${root}console/${file}`
    if (statSync(path).isFile()) hash.update(`\n${file}\n`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

/** Builds into a temporary folder, which replaces the old console only when it is complete. */
function build(node, wanted) {
  const folder = `${root}console/.build-${process.pid}`
  const vite = `${root}node_modules/vite/bin/vite.js`
  const command = [vite, 'build', 'console', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn']
  // Tests set another NODE_ENV, and must build the same console.
  const env = { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' }
  const result = spawnSync(node, command, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'inherit', 'pipe'] })
  if (result.status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    return result.stderr.trim()
  }
  process.stderr.write(result.stderr)
  writeFileSync(`${folder}/.stamp`, wanted)
  rmSync(built, { recursive: true, force: true })
  renameSync(folder, built)
  return undefined
}

/** The line that names the error: Vite's headings and the source line that Node prints come before it. */
function firstLine(error) {
  const lines = stripVTControlCharacters(error).split('\n')
  const errorLine = lines.find((line) => /^\w*Error: /.test(line))
  return (
    errorLine ?? lines.find((line) => line.trim() !== '' && !/build failed|error during build/i.test(line)) ?? error
  )
}
