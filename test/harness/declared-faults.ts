import { type FaultKind, faultTable } from '../../src/faults.ts'
import { declaredFaults } from '../../src/http/operations/declared-faults.ts'
import type { Operation } from '../../src/http/operations/operation.ts'
import { servedPaths } from '../../src/http/operations/operation-paths.ts'
import { newRouter } from '../../src/http/router.ts'
import { allOperations } from '../../src/operations.ts'

const router = newRouter<Operation>()
for (const { method, path, operation } of servedPaths(allOperations)) router.add(method, path, operation)

/** What may happen to any request before or while it is read. */
const UNREADABLE: readonly FaultKind[] = ['malformedRequest', 'tooSlow', 'expectationFailed']

/** Throws where an operation answers with a fault or a faultName that it does not declare. */
export function expectDeclaredFault(method: string, url: string, reply: { status: number; text: string }): void {
  const fault = faultIn(reply.text)
  const found = fault === null ? null : router.find(method, url)
  if (fault === null || found === null) return
  const isDeclared = [...declaredFaults(found.target), ...UNREADABLE.map((kind) => ({ kind, names: [] }))]
    .filter(({ kind }) => faultTable[kind].code === fault.code && faultTable[kind].status === reply.status)
    .some(({ names }) =>
      names.length === 0
        ? fault.name === undefined
        : names.some((name) => name === fault.name || found.variables[name.slice(1, -1)] === fault.name),
    )
  if (isDeclared) return
  const { name } = found.target
  throw new Error(`${name} does not declare the fault ${fault.code} with HTTP ${reply.status} and name ${fault.name}`)
}

function faultIn(text: string): { code: string; name: string | undefined } | null {
  const xml = /<faultCode>(\d+)</.exec(text)
  if (xml !== null) return { code: xml[1] as string, name: /<faultName>(.*)<\/faultName>/.exec(text)?.[1] }
  const json = /"faultCode":"(\d+)"/.exec(text)
  return json === null ? null : { code: json[1] as string, name: /"faultName":"([^"]*)"/.exec(text)?.[1] }
}
