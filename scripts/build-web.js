// Builds the web applications (the console, and the showcase at /app) that are missing or stale; installs nothing. Plain
// JavaScript for Node 20 or later.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { refuseArguments } from './command-line.js'
import { findNode, NO_NODE } from './node.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** `shared`: files and folders outside the application's folder that are in its build. Imported types are erased. */
const APPLICATIONS = [
  { folder: 'console', name: 'console', shared: ['web'] },
  { folder: 'showcase', name: 'showcase', shared: ['web', 'clients/typescript/src'] },
]

const USAGE = `Usage: npm run build:web

  Builds the console into console/dist and the showcase into showcase/dist, if they are missing or stale. If that fails,
  prints the whole error and exits with 1.`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refuseArguments(USAGE)
  const error = buildIfStale()
  if (error !== undefined) console.error(error)
  process.exitCode = error === undefined ? 0 : 1
}

/** For callers that can continue without: prints three lines instead of the whole error. */
export function buildWeb() {
  for (const application of APPLICATIONS) {
    const error = buildOneIfStale(application)
    if (error === undefined) continue
    console.error(`The ${application.name} could not be built: ${firstLine(error)}
The service works without it${existsSync(stampOf(application)) ? `, and serves the ${application.name} that was built before` : ''}.
To see the whole error, run: npm run build:web`)
  }
}

/** Returns the text of the first error, or undefined. */
export function buildIfStale() {
  for (const application of APPLICATIONS) {
    const error = buildOneIfStale(application)
    if (error !== undefined) return error
  }
  return undefined
}

function stampOf({ folder }) {
  return `${root}${folder}/dist/.stamp`
}

function buildOneIfStale(application) {
  const stamp = stampOf(application)
  const wanted = `${hashOfSources(application)}\n`
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return undefined
  console.error(`Building the ${application.name} (once; a few seconds) ...`)
  const node = findNode()
  return node === undefined ? NO_NODE : build(application, node, wanted)
}

/** Covers everything that the build depends on: sources, settings, and the versions of the packages. */
function hashOfSources({ folder, shared }) {
  const hash = createHash('sha256').update(readFileSync(`${root}package-lock.json`))
  for (const place of [...shared, folder]) {
    for (const file of filesIn(place)) hash.update(`\n${file}\n`).update(readFileSync(`${root}${file}`))
  }
  return hash.digest('hex')
}

/** Without what was built. */
function filesIn(place) {
  if (!existsSync(`${root}${place}`)) return []
  if (statSync(`${root}${place}`).isFile()) return [place]
  const names = readdirSync(`${root}${place}`, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => !/(^|\/)(dist\/|\.build-)/.test(name))
    .sort()
    .map((name) => `${place}/${name}`)
    .filter((file) => statSync(`${root}${file}`).isFile())
}

/** Builds into a temporary folder, which replaces the old files only when it is complete. */
function build({ folder: application }, node, wanted) {
  const built = `${root}${application}/dist`
  const folder = `${root}${application}/.build-${process.pid}`
  const vite = `${root}node_modules/vite/bin/vite.js`
  const command = [vite, 'build', application, '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn']
  // Tests set another NODE_ENV, and must build the same files.
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
