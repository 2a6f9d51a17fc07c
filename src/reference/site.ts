// What a reference is made of: an OpenAPI document, guides, and the credentials that its requests have.

import type { OpenApi } from './document.ts'
import type { Html } from './html.ts'

export type Site = {
  readonly document: OpenApi
  readonly title: string
  /** Beside the name of the service in the bar. */
  readonly subtitle: string
  /** Where clients reach the service. */
  readonly origin: string
  /** Whether the service has the sandbox's data, with which the examples work: forms are then prefilled. */
  readonly sandbox: boolean
  /** The text of the confirmation before a request changes something; null: it is sent without confirmation. */
  readonly confirmsChanges: string | null
  /** Links in the bar: descriptions of the API for tools, by their names. */
  readonly downloads: { readonly [name: string]: string }
  readonly credentials: readonly Credential[]
  /** What happens to the credentials that the reader enters; 'tab': they are stored until the tab closes. */
  readonly storage: { readonly until: 'tab' | 'reload'; readonly text: Html }
  readonly guides: readonly Guide[]
}

type Credential = {
  /** Its name among the security schemes of the document. */
  readonly scheme: string
  readonly label: string
  readonly header: string
  /** Before the value in the header. */
  readonly prefix: string
  /** What the header is in samples until the reader enters one. */
  readonly sample: string
  /** Hidden in its field; 'never' is in no sample either. */
  readonly shown: 'yes' | 'masked' | 'never'
}

export type Guide = {
  readonly id: string
  readonly title: string
  readonly headings: readonly { readonly id: string; readonly title: string }[]
  readonly content: Html
}
