// The guides of a reference, written in HTML (assets/reference). What only the service knows is inserted:
//
//   {{name}}                              a text or a table
//   <!-- needs createTicket -->           up to <!-- end -->: only if that operation is offered; lacks: only if it is not
//   <pre id="x" title="Install" lang="sh">  a sample with a title and a button that copies it; lang="typescript" is coloured

import { readFileSync } from 'node:fs'
import { type Html, html } from './html.ts'
import { sample } from './samples.ts'
import type { Guide } from './site.ts'

type Inserted = { readonly [name: string]: string | Html }

/** `file` is below assets/reference, without its ending; its last part is the guide's id. */
export function readGuide(file: string, inserted: Inserted, offers: (operation: string) => boolean): Guide {
  const source = readFileSync(new URL(`../../assets/reference/${file}.html`, import.meta.url), 'utf8')
  const written = withSamples(offeredParts(source, offers)).replace(/\{\{([\w-]+)\}\}/g, (_, name) =>
    insertedMarkup(inserted, name),
  )
  const headings = [...written.matchAll(/<h[23] id="([\w-]+)">([^<]*)</g)]
  return {
    id: file.replace(/^.*\//, ''),
    title: /<h1>([^<]*)</.exec(written)?.[1] ?? '',
    headings: headings.map(([, id = '', title = '']) => ({ id, title })),
    content: { markup: written },
  }
}

function offeredParts(source: string, offers: (operation: string) => boolean): string {
  const parts = source.split('<!-- end -->\n').map((part) => {
    const [before = '', rule, operation = '', content = ''] = part.split(/<!-- (needs|lacks) (\w+) -->\n/)
    return offers(operation) === (rule === 'needs') ? before + content : before
  })
  return parts.join('')
}

function withSamples(source: string): string {
  const [start = '', ...others] = source.split('<pre ')
  const samples = others.map((part) => {
    const [attributes = '', text = ''] = part.slice(0, part.indexOf('</pre>')).split(/>(.*)/s)
    const pairs = attributes.split('" ').map((pair) => pair.replace(/"$/, '').split('="'))
    const { id = '', title = '', lang } = Object.fromEntries(pairs)
    // The text is markup already.
    const { markup } = sample(id, title, '{{code}}', lang)
    return markup.replace('{{code}}', () => text) + part.slice(part.indexOf('</pre>') + '</pre>'.length)
  })
  return start + samples.join('')
}

function insertedMarkup(inserted: Inserted, name: string): string {
  const part = inserted[name]
  if (part === undefined) throw new Error(`A guide names {{${name}}}, which is not given`)
  return html`${part}`.markup
}
