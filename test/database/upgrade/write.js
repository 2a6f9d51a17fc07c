// Writes 0134.sqlite.rows and 0134.postgres.rows again: `node test/database/upgrade/write.js`, after a change of play-0134.js. It takes the
// version of migration 0134 out of the repository into a temporary folder, and plays there. The packages are those of this version.

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const VERSION = 'e31fc178'
const here = new URL('.', import.meta.url).pathname
const root = new URL('../../..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'paddock-earlier-'))
try {
  const archive = execFileSync('git', ['archive', VERSION], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  copyFileSync(join(here, 'play-0134.js'), join(folder, 'test/flows/upgrade-rows.test.ts'))
  for (const engine of ['sqlite', 'postgres']) {
    const vitest = [
      'scripts/run.js',
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      engine,
      'test/flows/upgrade-rows',
    ]
    execFileSync('node', vitest, { cwd: folder, env: { ...process.env, UPGRADE_ROWS: here }, stdio: 'inherit' })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
