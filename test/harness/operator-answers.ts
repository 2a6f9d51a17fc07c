// Every answer of the operator API that a suite sees is checked against the schemas of its operation.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'csv-parse/sync'
import type { JsonSchema } from '../../src/http/representation/json-schema.ts'
import { operatorOperations } from '../../src/operator/operations.ts'
import type { OperatorOperation } from '../../src/operator/server/operation.ts'
import { problemsOf } from '../../src/operator/server/operation-problems.ts'

const ajv = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  formats: {
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    date: /^\d{4}-\d\d-\d\d$/,
  },
})
const compiled = new Map<JsonSchema, ValidateFunction>()

const routes = operatorOperations.map((operation) => ({
  operation,
  pattern: new RegExp(`^/operator/v1${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
}))

type SeenAnswer = { status: number; type: string; text: string }

/** Throws when the operation does not describe this answer. */
export function checkOperatorAnswer(method: string, address: string, answer: SeenAnswer): void {
  const path = address.split('?', 1)[0] as string
  const route = routes.find(({ operation, pattern }) => operation.method === method && pattern.test(path))
  if (route === undefined) return
  const problem = mismatchWithOperation(route.operation, answer)
  if (problem !== null) throw new Error(`${route.operation.name} answered ${answer.status}: ${problem}`)
}

function mismatchWithOperation(operation: OperatorOperation, { status, type, text }: SeenAnswer): string | null {
  if (status < 300) {
    const schema = operation.answer[status as 200 | 201 | 204]
    if (schema === undefined) return 'the row has no such answer'
    if (schema === null) return text === '' ? null : `a body, ${text}`
    if (operation.sendsCsv) return mismatchOfCsv(schema, { status, type, text })
    return operation.sendsEvents ? mismatchOfEvents(schema, text) : mismatch(schema, text)
  }
  const problem = problemsOf(operation).find((one) => one.status === status)
  if (problem === undefined) return `the row has no such problem: ${text}`
  return /^application\/problem\+json/.test(type) ? mismatch(problem.schema, text) : `the type is ${type}`
}

const MAX_LINES = 500

/** Each line, with the names of the columns, is a value of the schema. */
function mismatchOfCsv(schema: JsonSchema, { type, text }: SeenAnswer): string | null {
  if (type !== 'text/csv; charset=utf-8') return `the type is ${type}`
  const [columns = [], ...rows] = parse(text) as string[][]
  const expected = Object.keys(schema.properties as object)
  if (`${columns}` !== `${expected}`) return `the columns are ${columns}`
  const objects = rows
    .slice(0, MAX_LINES)
    .map((row) => Object.fromEntries(row.map((value, index) => [columns[index], value])))
  return objects.map((one) => mismatch(schema, JSON.stringify(one))).find((one) => one !== null) ?? null
}

function mismatchOfEvents(schema: JsonSchema, text: string): string | null {
  const types = schema.properties as Record<string, JsonSchema>
  const found = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, type = '', data = '']) => {
    const known = types[type]
    return known === undefined ? `no event ${type} is described` : mismatch(known, data)
  })
  return found.find((one) => one !== null) ?? (found.length === 0 ? `no event: ${text}` : null)
}

function mismatch(schema: JsonSchema, text: string): string | null {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  if (validate(JSON.parse(text))) return null
  return `${ajv.errorsText(validate.errors)}\n${text.slice(0, 2000)}`
}
