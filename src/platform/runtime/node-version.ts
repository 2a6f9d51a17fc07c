// Whether this Node runs Paddock. Loaded before everything else, by any Node that knows ES modules.

/** Understands what package.json uses: `^22.20.0 || >=24.7.0`. */
export function isInRange(version: string, range: string): boolean {
  const own = version.split('.').map(Number)
  return range.split('||').some((alternative) => {
    const [, sign, lowest = ''] = /^\s*(\^|>=)([\d.]+)\s*$/.exec(alternative) ?? []
    const wanted = lowest.split('.').map(Number)
    if (sign === undefined) throw new Error(`${alternative}: write it like ^22.20.0 or >=24.7.0`)
    if (sign === '^' && own[0] !== wanted[0]) return false
    const different = wanted.findIndex((number, index) => number !== own[index])
    return different === -1 || (own[different] as number) > (wanted[different] as number)
  })
}

/** What to do about a Node that does not run Paddock; undefined: it does. */
export function nodeProblem(version: string, range: string): string | undefined {
  if (isInRange(version, range)) return undefined
  return `Paddock needs Node ${inWords(range)}.
This is Node ${version}.
Install a newer one (https://nodejs.org) or use the image (docs/install.md), and run the command again.`
}

function inWords(range: string): string {
  return range
    .replace(/\^(\d+)\.(\d+)\.0/g, '$1.$2 or later of $1')
    .replace(/>=(\d+\.\d+)\.0/g, '$1 or later')
    .replace(' ||', ', or')
}
