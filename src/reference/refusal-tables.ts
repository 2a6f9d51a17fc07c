// Tables of refusals: faults of the public API, problems of the operator API.

import type { FaultObject, OpenApi, ReferenceOperation } from './document.ts'
import { type Html, html, joinHtml, prose, table } from './html.ts'
import { answeredFields, schemaFields } from './schema-fields.ts'

/** The operation's own, and a link to those that it shares with others. */
export function refusalTable(document: OpenApi, operation: ReferenceOperation): Html {
  return document.components['x-faults'] === undefined ? problemTable(operation) : faultTable(document, operation)
}

/** What the search finds an operation by. */
export function refusalWords(document: OpenApi, operation: ReferenceOperation): string[] {
  const faults = ownFaults(document, operation).map(([, { code, text }]) => `${code} ${text}`)
  return [...faults, ...ownProblems(operation).map(({ status, description }) => `${status} ${description}`)]
}

// ---- Faults.

type NamedFault = [kind: string, fault: FaultObject, names: readonly string[]]

const FAULT_COLUMNS = ['HTTP', 'Code', 'faultName', 'Text']

function ownFaults({ components }: OpenApi, { responses }: ReferenceOperation): NamedFault[] {
  const all = components['x-faults'] ?? {}
  return responses.flatMap((response) =>
    Object.entries(response['x-faults'] ?? {}).map(
      ([kind, names]): NamedFault => [kind, all[kind] as FaultObject, names],
    ),
  )
}

function faultTable(document: OpenApi, operation: ReferenceOperation): Html {
  const own = ownFaults(document, operation)
  const shared = html`<a href="/docs/errors#shared-faults">the shared faults</a>`
  if (own.length === 0) return html`<p class="none">No faults besides ${shared}.</p>`
  return html`${table(
    'Faults',
    FAULT_COLUMNS,
    own.map(([, fault, names]) => faultCells(fault, names)),
  )}
<p class="none">Also ${shared}.</p>`
}

function faultCells({ status, code, text }: FaultObject, names: readonly string[]): Html[] {
  return [html`<code>${status}</code>`, html`<code>${code}</code>`, faultName(names), html`${text}`]
}

/** '{id}' stands for the value of that parameter. */
function faultName(names: readonly string[]): Html {
  if (names.length === 0) return html`<span class="quiet">absent</span>`
  const cells = names.map((name) => {
    if (name === '') return html`<span class="quiet">empty</span>`
    const parameter = /^\{(.+)\}$/.exec(name)?.[1]
    if (parameter !== undefined) return html`the value of <code>${parameter}</code>`
    if (name.includes(' ')) return html`${name}`
    const parts = name.split('|').map((part, index) => (index === 0 ? html`${part}` : html`|<wbr/>${part}`))
    return html`<code>${parts}</code>`
  })
  return joinHtml(cells, ', ')
}

export function sharedFaults(document: OpenApi): Html {
  const rows = sortedFaults(document).filter(({ names }) => names !== undefined)
  return table(
    'Shared faults',
    FAULT_COLUMNS,
    rows.map((fault) => faultCells(fault, fault.names ?? [])),
  )
}

function sortedFaults({ components }: OpenApi): (FaultObject & { kind: string })[] {
  const all = Object.entries(components['x-faults'] ?? {}).map(([kind, fault]) => ({ kind, ...fault }))
  const rank = ({ code, status }: FaultObject) => `${code} ${status}`
  return all.sort((one, other) => rank(one).localeCompare(rank(other)))
}

const MAX_LISTED = 4

export function allFaults(document: OpenApi, operations: readonly ReferenceOperation[]): Html {
  const all = operations.flatMap((operation) =>
    ownFaults(document, operation).map(([kind, , names]) => ({ kind, names, operation: operation.name })),
  )
  const byKind = Map.groupBy(all, ({ kind }) => kind)
  const rows = sortedFaults(document).map((fault) => {
    const sources = byKind.get(fault.kind) ?? []
    const names = [...new Set([...(fault.names ?? []), ...sources.flatMap((one) => one.names)])]
    const by = sources.map(({ operation }) => operation)
    return [
      ...faultCells(fault, names.length > MAX_LISTED ? ['the parameter at fault'] : names),
      fault.names === undefined ? operationLinks(by) : html`every operation`,
    ]
  })
  return table('All faults', [...FAULT_COLUMNS, 'Operations'], rows)
}

function operationLinks(names: readonly string[]): Html {
  if (names.length === 0) return html`any request`
  if (names.length > MAX_LISTED) return html`${names.length} operations`
  return joinHtml(
    names.map((name) => html`<a href="/docs/${name}">${name}</a>`),
    ', ',
  )
}

// ---- Problems (RFC 9457).

const PROBLEM = 'application/problem+json'

function problemsOf({ responses }: ReferenceOperation): ReferenceOperation['responses'] {
  return responses.filter(({ content = {} }) => PROBLEM in content)
}

function ownProblems(operation: ReferenceOperation): ReferenceOperation['responses'] {
  return problemsOf(operation).filter(({ isShared }) => !isShared)
}

function problemTable(operation: ReferenceOperation): Html {
  const own = ownProblems(operation)
  const shared = problemsOf(operation).filter(({ isShared }) => isShared)
  const statuses = shared.map(({ status }) => html`<code>${status}</code>`)
  const others = html`<a href="/docs/problems#shared-problems">shared problems</a> ${joinHtml(statuses, ', ')}`
  if (own.length === 0) return html`<p class="none">No problems besides the ${others}.</p>`
  const rows = own.map(({ status, description }) => [html`<code>${status}</code>`, prose(description)])
  return html`${table('Problems', ['Status', 'When'], rows)}
<p class="none">Also the ${others}.</p>`
}

/** Tables of the fields that a problem has beyond those of all problems. */
export function ownProblemFields(document: OpenApi, operation: ReferenceOperation): Html[] {
  const common = problemFields(document).map(({ name }) => name)
  return ownProblems(operation).flatMap(({ status, content = {} }) => {
    const fields = schemaFields(document, content[PROBLEM]?.schema ?? {})
    const further = fields.filter(({ name }) => !common.includes(name))
    return further.length === 0 ? [] : [answeredFields(document, `Further fields of problem ${status}`, further)]
  })
}

export function problemFields(document: OpenApi) {
  return schemaFields(document, document.components.schemas.Problem ?? {})
}

export function sharedProblems({ components }: OpenApi): Html {
  const responses = Object.entries(components.responses ?? {}).toSorted(([one], [other]) => one.localeCompare(other))
  const rows = responses.map(([, { description, content = {} }]) => {
    const { status = 0, title = '' } = (content[PROBLEM]?.example ?? {}) as { status?: number; title?: string }
    return [html`<code>${status}</code>`, html`${title}`, prose(description)]
  })
  return table('Shared problems', ['Status', 'Title', 'When'], rows)
}
