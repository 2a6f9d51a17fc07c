// README.md and the documents of docs/ as pages, /guides/<name>: the same files, in the order of README's lists of documents, which
// say in a sentence what each is about. Both listeners serve them, because who reads one of them may not reach the other.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { once } from '../platform/runtime/once.ts'
import type { ReferenceOperation } from './document.ts'

import { type MarkdownPlace, type Rendered, renderMarkdown } from './markdown.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const IMAGES = 'docs/images'

export type HandbookGuide = {
  /** The last part of its address. */
  readonly id: string
  /** From the root of the project. */
  readonly file: string
  readonly group: string
  readonly title: string
  /** What it is about. */
  readonly summary: string
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** README, and the documents that its lists name. None where a copy of the service has no documents. */
export const handbookGuides = once((): readonly HandbookGuide[] => {
  if (!existsSync(join(ROOT, 'README.md'))) return []
  const found = [guideOf('README.md', 'Start', 'what Paddock is, and how to start it')]
  let group = ''
  for (const line of textOf('README.md').split('\n')) {
    group = /^\| ((?:step|for) [a-z ]+) \| \|$/.exec(line)?.[1] ?? group
    const [, file, summary = ''] = /^\| \[[^\]]+\]\(((?:docs\/[\w-]+|CHANGELOG)\.md)\) \| (.+) \|$/.exec(line) ?? []
    if (file !== undefined && existsSync(join(ROOT, file)) && group !== '') found.push(guideOf(file, group, summary))
  }
  return found
})

function guideOf(file: string, group: string, summary: string): HandbookGuide {
  const id = file
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .toLowerCase()
  const [, title = id] = /^# (.+)$/m.exec(textOf(file)) ?? []
  return { id, file, group: group.charAt(0).toUpperCase() + group.slice(1), title: title.replaceAll('`', ''), summary }
}

/** A text for programs: links between documents of docs/ work in it too. */
export function guideSource({ file }: HandbookGuide): string {
  return textOf(file).replaceAll('](docs/', '](')
}

export function handbookImages(): { path: string; bytes: () => Buffer }[] {
  if (!existsSync(join(ROOT, IMAGES))) return []
  return readdirSync(join(ROOT, IMAGES)).map((name) => {
    return { path: `/guides/images/${name}`, bytes: () => readFileSync(join(ROOT, IMAGES, name)) }
  })
}

/** `operations`: those of the reference beside it, to which the guides lead. */
export function renderGuide({ file }: HandbookGuide, operations: readonly ReferenceOperation[]): Rendered {
  return renderMarkdown(textOf(file), placeOf(file, operations))
}

function placeOf(file: string, operations: readonly ReferenceOperation[]): MarkdownPlace {
  const pages = new Map(operations.flatMap((one) => namesOf(one).map((name) => [name, `/docs/${one.name}`] as const)))
  return {
    address: (target) => addressFrom(file, target),
    titleOf: (target) => guideAt(file, target)?.title.replace(/: .*/, ''),
    pageAbout: (code) => pages.get(withoutNames(code)),
  }
}

/** undefined: it is served nowhere. */
function addressFrom(file: string, target: string): string | undefined {
  if (/^(https?:|#)/.test(target)) return target
  const [path = '', anchor] = target.split('#')
  const wanted = join(dirname(file), path)
  if (wanted.startsWith(`${IMAGES}/`)) return wanted.replace(/^docs/, '/guides')
  const guide = guideAt(file, target)
  if (guide === undefined) return repositoryAddress(wanted)
  return `/guides/${guide.id}${anchor === undefined ? '' : `#${anchor}`}`
}

/** The one that a link of a document leads to. */
function guideAt(file: string, target: string): HandbookGuide | undefined {
  const wanted = join(dirname(file), target.split('#')[0] ?? '')
  return handbookGuides().find((one) => one.file === wanted)
}

const REPOSITORY = once((): string | undefined => {
  const { repository } = JSON.parse(textOf('package.json')) as { repository?: string | { url: string } }
  const written = typeof repository === 'object' ? repository.url : repository
  return written?.replace(/^git\+/, '').replace(/\.git$/, '')
})

/** Where a file of the project can be read; undefined: package.json names no repository. */
export function repositoryAddress(file: string): string | undefined {
  const repository = REPOSITORY()
  return repository === undefined ? undefined : `${repository}/blob/HEAD/${file}`
}

// ---- Which guide explains an operation.

/** As documents write an operation: with or without what all paths begin with. */
function namesOf({ method, path, alsoAt }: ReferenceOperation): string[] {
  const paths = [path, ...alsoAt].flatMap((one) => [one, one.replace(/^\/operator\/v1/, '')])
  return paths.map((one) => withoutNames(`${method} ${one}`))
}

/** Parameters have other names, or none, in documents; a query or a body may follow. */
function withoutNames(code: string): string {
  const [method = '', path = ''] = code.split(' ')
  return `${method} ${(path.split(/[?#]/)[0] ?? '').replace(/\{[^{}]*\}/g, '{}')}`
}

const mentions = once((): ReadonlyMap<string, readonly HandbookGuide[]> => {
  const found = new Map<string, HandbookGuide[]>()
  for (const guide of handbookGuides()) {
    const named = textOf(guide.file).matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE|HEAD) \/[^\s`"']+/g)
    for (const name of new Set([...named].map(([code]) => withoutNames(code)))) {
      found.set(name, [...(found.get(name) ?? []), guide])
    }
  }
  return found
})

const MOST_NAMED = 3
/** What every call is in, and so explains none. */
const ABOUT_ALL: readonly string[] = ['readme', 'security', 'contract-notes', 'changelog']

/** The guides that name it, else one that is named like a part of its path, else that of its area. */
export function guidesAbout(operation: ReferenceOperation): HandbookGuide[] {
  const named = new Set(namesOf(operation).flatMap((name) => mentions().get(name) ?? []))
  const telling = [...named].filter(({ id }) => !ABOUT_ALL.includes(id)).slice(0, MOST_NAMED)
  if (telling.length > 0) return telling
  const ofPath = handbookGuides().find(({ id }) => operation.path.split('/').includes(id))?.id
  return handbookGuides().filter(({ id }) => id === (ofPath ?? GUIDE_OF_AREA[operation.tags[0]]))
}

/** By the tag of its operations, of both APIs. */
export const GUIDE_OF_AREA: Readonly<Record<string, string>> = {
  ...{ sessions: 'tour', profiles: 'tour', communities: 'communities', wallets: 'deposits', stream: 'events' },
  ...{ applications: 'install', customers: 'operations', sportsbook: 'communities', moderation: 'moderation' },
  ...{ events: 'events', log: 'record', live: 'console', records: 'record', search: 'search', views: 'console' },
  ...{ statistics: 'console', access: 'install', health: 'operations', audit: 'operations' },
}
