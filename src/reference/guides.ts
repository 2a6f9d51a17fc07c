// The guides of a reference, written in HTML (assets/reference). What only the service knows is inserted:
//
//   {{name}}                              a text or a table
//   <p data-needs="createTicket">         only if that operation is offered; data-lacks: only if it is not
//   <pre id="x" title="Install">          a sample with a title and a button that copies it; lang="typescript" colours it

import { readFileSync } from 'node:fs'
import { type Html, html } from './html.ts'
import { sample } from './samples.ts'
import type { Guide } from './site.ts'

const CONDITIONAL = /<(\w+) data-(needs|lacks)="(\w+)">([\s\S]*?)<\/\1>\n/g
const SAMPLE = /<pre id="([\w-]+)" title="([^"]*)"(?: lang="(\w+)")?>([^<]*)<\/pre>/g

type Inserted = { readonly [name: string]: string | Html }

/** `file` is below assets/reference, without its ending; its last part is the guide's id. */
export function readGuide(file: string, inserted: Inserted, offers: (operation: string) => boolean): Guide {
  const source = readFileSync(new URL(`../../assets/reference/${file}.html`, import.meta.url), 'utf8')
  const written = source
    .replace(CONDITIONAL, (...[, tag, rule, operation, content]) =>
      offers(operation) === (rule === 'needs') ? `<${tag}>${content}</${tag}>\n` : '',
    )
    // The text of a sample is markup already.
    .replace(SAMPLE, (...[, id, title, language, text]) =>
      sample(id, title, '{{code}}', language).markup.replace('{{code}}', () => text),
    )
    .replace(/\{\{([\w-]+)\}\}/g, (_, name) => insertedMarkup(inserted, name))
  const headings = [...written.matchAll(/<h[23] id="([\w-]+)">([^<]*)</g)]
  return {
    id: file.replace(/^.*\//, ''),
    title: /<h1>([^<]*)</.exec(written)?.[1] ?? '',
    headings: headings.map(([, id = '', title = '']) => ({ id, title })),
    content: { markup: written },
  }
}

function insertedMarkup(inserted: Inserted, name: string): string {
  const part = inserted[name]
  if (part === undefined) throw new Error(`A guide names {{${name}}}, which is not given`)
  return html`${part}`.markup
}
