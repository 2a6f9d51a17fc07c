// The types of parameters, from the rows of the operations.

import type { Operation } from '../../src/http/operations/operation.ts'
import type { Parameter } from '../../src/http/requests/parameters.ts'
import { kindOf, parametersOf } from '../../src/reference/client-parameters.ts'
import { capitalised, commentOf } from './text.ts'

export function parametersName({ name }: Operation): string {
  return `${capitalised(name)}Parameters`
}

export function hasRequired(operation: Operation): boolean {
  return operation.body !== undefined || parametersOf(operation).some(({ parameter }) => parameter.required)
}

export function parameterInterface(operation: Operation): string {
  const fields = parametersOf(operation).map(({ name, parameter }) => {
    const { meaning, required } = parameter
    const initial = parameter.schema.default
    const absent =
      required || initial === undefined || kindOf(parameter.schema) === 'boolean' ? '' : ` (default: ${initial})`
    const type = required ? typeOf(parameter) : `${typeOf(parameter)} | undefined`
    return `${commentOf(`${meaning}${absent}`)}${name}${required ? '' : '?'}: ${type}`
  })
  if (operation.body === 'picture') {
    fields.push(`${commentOf('the bytes of a jpg, gif or png of up to 10 MB')}picture: Blob | ArrayBuffer | Uint8Array`)
  }
  const name = parametersName(operation)
  if (fields.length === 0) return `export type ${name} = NoParameters`
  return `export interface ${name} {\n${fields.join('\n')}\n}`
}

function typeOf(parameter: Parameter): string {
  const kind = kindOf(parameter.schema)
  // The client does not send `false`.
  if (kind === 'boolean' && parameter.absent !== false) {
    throw new Error('the client does not send N: a Y/N parameter must be N by default')
  }
  const choices = (parameter.schema.enum ?? []) as string[]
  if (kind === 'boolean' || choices.length === 0) return kind
  const named = choices.filter((value) => value !== '')
  return named.map((value) => (kind === 'number' ? value : `'${value}'`)).join(' | ')
}
