// The documents agree with each other and with the repository: links, pictures, cited rulings.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = new URL('..', import.meta.url).pathname
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const documents = ['.', 'docs', 'bench'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '')

/** The relative links of a document, as paths from the root. */
function linksOf(document: string): { path: string; anchor: string }[] {
  const links = [...withoutCode(read(document)).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)]
  return links.map(([, path = '', anchor = '']) => ({
    path: path === '' ? document : relative(root, join(root, dirname(document), path)),
    anchor,
  }))
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(document: string): string[] {
  return [...withoutCode(read(document)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    `${heading}`
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  )
}

describe('links', () => {
  test.each(documents)('%s links to files and headings that exist', (document) => {
    const broken = linksOf(document).filter(
      ({ path, anchor }) =>
        !existsSync(join(root, path)) || (anchor !== '' && path.endsWith('.md') && !anchorsOf(path).includes(anchor)),
    )
    expect(broken).toEqual([])
  })

  test('README links to every document', () => {
    const linked = linksOf('README.md').map(({ path }) => path)
    const missing = documents.filter((document) => document !== 'README.md' && !linked.includes(document))
    expect(missing).toEqual([])
  })

  test.each(documents.filter((document) => document !== 'CHANGELOG.md'))('%s names files that exist', (document) => {
    const named = [
      ...read(document).matchAll(
        /`((?:src|test|scripts|bench|deploy|assets|migrations|console|showcase|web)\/[\w./-]+\.\w+)`/g,
      ),
    ]
    expect(named.map(([, path]) => `${path}`).filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('every document that a comment or message names exists', () => {
    const named = sources().flatMap((file) => [...read(file).matchAll(/\bdocs\/[\w-]+\.md\b/g)].map(([path]) => path))
    expect(named).not.toEqual([])
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('every file that a comment names exists', () => {
    const missing = sources()
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => {
        const folders = ['', 'src', 'test', file.split('/', 2).join('/'), dirname(file)]
        const comments = [...read(file).matchAll(/^\s*(?:\/\/|\/?\*).*$/gm)].map(([line]) => line)
        const named = comments.flatMap((line) => [...line.matchAll(/(?<![\w./-])(?:[\w-]+\/)+[\w-]+\.tsx?\b/g)])
        return named
          .map(([path]) => path)
          .filter((path) => !folders.some((folder) => existsSync(join(root, folder, path))))
          .map((path) => `${file} names ${path}`)
      })
    expect(missing).toEqual([])
  })
})

describe('ARCHITECTURE.md', () => {
  const text = withoutCode(read('ARCHITECTURE.md'))
  /** With or without `src/`. */
  const pathOf = (named: string) => [named, join('src', named)].find((path) => existsSync(join(root, path)))
  const declares = (file: string, name: string) =>
    new RegExp(`\\b(function|const|type|class) ${name}\\b`).test(read(`${pathOf(file)}`))

  test('names files and folders that exist', () => {
    const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w-]+\.(?:ts|md|txt))`/g)].map(([, path]) => `${path}`)
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter((path) => pathOf(path) === undefined)).toEqual([])
  })

  test('names functions that are in the file named before them', () => {
    const named = [...text.matchAll(/`([\w./-]+\.ts)`\s\(((?:`\w+`(?:, )?)+)\)/g)].flatMap(([, file, names]) =>
      [...`${names}`.matchAll(/\w+/g)].map(([name]) => ({ file: `${file}`, name })),
    )
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter(({ file, name }) => !declares(file, name))).toEqual([])
  })

  test('names functions and statements that are in a file of the same section', () => {
    const missing = text.split(/^## /m).flatMap((section) => {
      const files = [...section.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file]) => `${file}`)
      const names = [...section.matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name]) => `${name}`)
      return names.filter((name) => !files.some((file) => declares(file, name)))
    })
    expect(missing).toEqual([])
  })
})

test('README shows the application; every picture is small, and shown somewhere', () => {
  const shownBy = (document: string) => {
    const pictures = [...read(document).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)]
    return pictures.map(([, path]) => join(dirname(document), `${path}`))
  }
  const names = ['scene', 'app-feed', 'app-tip', 'app-profile', 'app-deposit', 'app']
  expect(shownBy('README.md')).toEqual(names.map((name) => `docs/images/${name}.png`))
  const stored = readdirSync(join(root, 'docs/images')).map((name) => `docs/images/${name}`)
  expect(documents.flatMap(shownBy).toSorted()).toEqual(stored.toSorted())
  expect(stored.filter((path) => statSync(join(root, path)).size > 200_000)).toEqual([])
})

test('every ruling that is cited stands in docs/contract-notes.md', () => {
  const rulings = [...read('docs/contract-notes.md').matchAll(/^## (R\d+) /gm)].map(([, ruling]) => ruling)
  expect(rulings).toEqual(['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7', 'R8', 'R9', 'R10', 'R11', 'R12'])
  const cited = sources()
    .filter((file) => /^(src|test)\//.test(file))
    .flatMap((file) => [...read(file).matchAll(/\b(R\d{1,2})\b/g)].map(([, ruling]) => ruling))
  expect(cited).not.toEqual([])
  expect(cited.filter((ruling) => !rulings.includes(ruling))).toEqual([])
})

function sources(): string[] {
  return ['src', 'test', 'console/src', 'showcase/src', 'web', 'bench', 'scripts', 'deploy', 'migrations'].flatMap(
    (folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(ts|tsx|js|sql|yaml|service)$/.test(name) && !name.includes('node_modules'))
        .map((name) => join(folder, name)),
  )
}
