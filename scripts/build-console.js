// Builds the console when it is missing or stale; installs nothing. Plain JavaScript, as prepare.js, which runs it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const built = `${root}console/dist`
const stamp = `${built}/.stamp`
const wanted = `${hashOfSources()}\n`

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) build()

/** Of all that the built console is made from: its sources and settings, and the versions of what builds it. */
function hashOfSources() {
  const hash = createHash('sha256').update(readFileSync(`${root}package-lock.json`))
  const files = readdirSync(`${root}console`, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => !/^(dist|\.build-)/.test(name)).sort()) {
    const path = `${root}console/${file}`
    if (statSync(path).isFile()) hash.update(`\n${file}\n`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

/** Beside the old one, which is replaced only by a whole new one. */
function build() {
  const vite = `${root}node_modules/vite/bin/vite.js`
  if (!existsSync(vite)) {
    console.error('The console is not built: vite is not installed. The service works without it.')
    return
  }
  console.error('Building the console (once; a few seconds) ...')
  const folder = `${root}console/.build-${process.pid}`
  const ownNode = `${root}node_modules/node/bin/node`
  const node = existsSync(ownNode) ? ownNode : process.execPath
  const command = [vite, 'build', 'console', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn']
  // Whoever starts it, a test included, the same console is built.
  const env = { ...process.env, NODE_ENV: 'production' }
  const result = spawnSync(node, command, { cwd: root, env, stdio: ['ignore', 2, 2] })
  if (result.status === 0) {
    writeFileSync(`${folder}/.stamp`, wanted)
    rmSync(built, { recursive: true, force: true })
    renameSync(folder, built)
    return
  }
  rmSync(folder, { recursive: true, force: true })
  console.error('\nBuilding the console failed (see above).')
  process.exitCode = 1
}
