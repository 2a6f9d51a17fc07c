// `npm test`: types, style, then every suite. Arguments are vitest's: `npm test -- --project sqlite test/flows`.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const STEPS = [
  ['typescript/bin/tsc', '--noEmit'],
  ['typescript/bin/tsc', '--noEmit', '-p', 'console'],
  ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['vitest/vitest.mjs', 'run', ...process.argv.slice(2)],
]

for (const [file, ...args] of STEPS) {
  const { status } = spawnSync(process.execPath, [`${root}node_modules/${file}`, ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
