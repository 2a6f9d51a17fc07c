// The packages that the service runs on, according to the lock file, on all platforms, and those whose code is in the built web
// applications.
import { readFileSync } from 'node:fs'

type Entry = {
  version: string
  license: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  /** Optional for the service, and needed by a tool. */
  devOptional?: boolean
  os?: string | string[]
  cpu?: string | string[]
  libc?: string | string[]
}
export type RuntimePackage = {
  name: string
  version: string
  license: string
  /** Where npm installs it; undefined: everywhere. */
  platform: string | undefined
  inBrowser: boolean
}

/** Development dependencies in the lock file, because only the builds of the web applications need them. */
const IN_BROWSER = ['react', 'react-dom', 'scheduler']

/** Without duplicates, sorted by name. */
export function runtimePackages(): RuntimePackage[] {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
  const found = new Map<string, RuntimePackage>()
  for (const [place, entry] of Object.entries<Entry>(lock.packages)) {
    const name = `${place.split('node_modules/').at(-1)}`
    const inBrowser = IN_BROWSER.includes(name)
    if (!place.startsWith('node_modules/') || entry.link || (entry.dev && !inBrowser)) continue
    const { version, license } = entry
    found.set(`${name}@${version}`, { name, version, license, platform: platformOf(entry), inBrowser })
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

function platformOf({ optional, devOptional, os = [], cpu = [], libc = [] }: Entry): string | undefined {
  if (!optional && !devOptional) return undefined
  const parts = [os, cpu, libc].map((names) => [names].flat().join(' or ')).filter((part) => part !== '')
  return parts.length === 0 ? 'where a package needs it' : parts.join(' ')
}
