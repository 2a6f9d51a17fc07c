import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { refuseArguments } from './command-line.js'
import { type RuntimePackage, runtimePackages } from './runtime-packages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const USAGE = `Usage: npm run third-party

  Writes THIRD_PARTY.md: the packages that the service runs on, with their licences.`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refuseArguments(USAGE)
  writeFileSync(`${root}THIRD_PARTY.md`, thirdParty())
}

export function thirdParty(): string {
  const packages = runtimePackages()
  const everywhere = packages.filter(({ platform, inBrowser }) => platform === undefined && !inBrowser)
  return `# Third-party software

Paddock itself is under the Apache License 2.0, see LICENSE. It runs on the packages below. \`npm run third-party\` writes this
file from the lock file; \`npm run sbom\` writes the same list as a CycloneDX file. Packages that are only used to develop
Paddock are in neither.

Each installed package contains its licence (\`node_modules/<package>/LICENSE\` or its README). The npm package of Paddock contains
only the packages of the web applications; the image contains those of its platform, and Node and Debian with their licences in
\`/usr/local/LICENSE\` and \`/usr/share/doc\`.

## On every platform

${table(['package', 'version', 'licence'], everywhere)}

## Optional, or for one platform each

npm installs those that match the machine. sharp scales profile pictures, with libvips.

${table(
  ['package', 'version', 'licence', 'platform'],
  packages.filter(({ platform }) => platform !== undefined),
)}

### libvips is under the LGPL

The packages \`@img/sharp-libvips-…\` contain libvips and the libraries it uses, under the GNU Lesser General Public License, version
3 or later (their README lists all of them with their licences, \`versions.json\` the versions). On Linux and macOS it is a file of
its own, \`node_modules/@img/sharp-libvips-<platform>/lib/libvips-cpp.…\`, unmodified, which sharp loads at run time; on
Windows it is a file of \`@img/sharp-win32-…\`, and in \`@img/sharp-wasm32\` a part of the program.

- Running the service, also for others over the network, requires nothing.
- Whoever distributes an image or a folder \`node_modules\` distributes libvips: keep the packages' README, add the
  [text of the licence](https://www.gnu.org/licenses/lgpl-3.0.html), state where the sources are
  (<https://github.com/lovell/sharp-libvips>, at the version in the table), and permit replacing the library and reverse
  engineering for that purpose. To replace it, replace that file by a build with the same interface.
- Paddock's own code is not affected: it is linked at run time only.

## In the web applications

The files of \`console/dist\` and \`showcase/dist\` contain code of these packages.

${table(
  ['package', 'version', 'licence'],
  packages.filter(({ inBrowser }) => inBrowser),
)}

\`\`\`
${readFileSync(`${root}node_modules/react/LICENSE`, 'utf8').trim()}
\`\`\`
`
}

function table(columns: string[], packages: RuntimePackage[]): string {
  const rows = packages.map(({ name, version, license, platform = '' }) => [name, version, license, platform])
  const line = (cells: string[]) => `| ${cells.slice(0, columns.length).join(' | ')} |`
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
}
