import type { JsonSchema } from '../../http/representation/json-schema.ts'

/** The first of its examples, or composed of those of its required parts. */
export function exampleOf(schema: JsonSchema): unknown {
  const { examples, enum: values, anyOf, type, items, properties = {}, required = [] } = schema as Composed
  if (examples !== undefined) return examples[0]
  if (values !== undefined) return values[0]
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0])
  if (items !== undefined) return [exampleOf(items)]
  if ([type].flat().includes('object')) {
    return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] as JsonSchema)]))
  }
  throw new Error(`A schema without an example: ${JSON.stringify(schema)}`)
}

type Composed = {
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly type?: string | readonly string[]
  readonly items?: JsonSchema
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: readonly string[]
}
