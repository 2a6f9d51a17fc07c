import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readCommandLine, UsageError } from './command-line.js'
import { runtimePackages } from './runtime-packages.ts'

type Component = { 'bom-ref': string; name: string; properties?: { name: string }[] }
type Bom = {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const file = readCommandLine(
  `Usage: npm run sbom [-- FILE]

  Writes a bill of materials (CycloneDX) of what the service runs on, for all platforms, to FILE (sbom.cdx.json).`,
  (args) => {
    const [name = 'sbom.cdx.json', ...others] = parseArgs({ args, allowPositionals: true }).positionals
    if (others.length > 0) throw new UsageError('name one file')
    return name
  },
)

// --omit=dev would also omit packages that development tools share, such as pg. So list all, and filter here.
const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only', '--loglevel=error']
const result = spawnSync('npm', ['sbom', ...options], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
if (result.status !== 0) {
  console.error(result.stderr)
  process.exit(1)
}
const bom = JSON.parse(result.stdout) as Bom
const wanted = new Set(runtimePackages().map(({ name, version }) => `${name}@${version}`))
const self = bom.metadata.component['bom-ref']
bom.metadata.component.name = 'paddock' // npm uses the name of the folder
bom.components = bom.components.filter((one) => wanted.has(one['bom-ref']))
for (const one of bom.components) {
  one.properties = (one.properties ?? []).filter(({ name }) => name !== 'cdx:npm:package:development')
}
bom.dependencies = bom.dependencies
  .filter(({ ref }) => ref === self || wanted.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => wanted.has(other)) }))
writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
console.log(`${bom.components.length} packages: ${file}`)
