// Parameters as the TypeScript client has them: its generator and the samples of the reference both read them here.

import type { Operation } from '../http/operations/operation.ts'
import type { Parameter } from '../http/requests/parameters.ts'

export type ClientParameter = { readonly name: string; readonly wireName: string; readonly parameter: Parameter }

/** As the client names it: `Idempotency-Key` is `idempotencyKey`. */
export function clientName(wireName: string): string {
  const name = wireName.replace(/ID$/, 'Id').replace(/-(\w)/g, (_, letter) => letter)
  return /^[A-Z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
}

/** One that can be sent under two names is one parameter. */
export function parametersOf({ parameters }: Operation): ClientParameter[] {
  const all = Object.entries(parameters).map(([wireName, parameter]) => ({
    name: clientName(wireName),
    wireName,
    parameter,
  }))
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index)
}

export type ParameterKind = 'boolean' | 'number' | 'string'

const DIGITS = /^\^\[0-9\][+*]\$$/

/** The type of its values; choices are numbers or strings. */
export function kindOf(schema: Parameter['schema']): ParameterKind {
  const choices = schema.enum as string[] | undefined
  if (choices?.includes('Y')) return 'boolean'
  if (choices !== undefined) return choices.every((one) => /^[0-9]*$/.test(one)) ? 'number' : 'string'
  const isNumber = schema.type === 'integer' || (typeof schema.pattern === 'string' && DIGITS.test(schema.pattern))
  return isNumber ? 'number' : 'string'
}
