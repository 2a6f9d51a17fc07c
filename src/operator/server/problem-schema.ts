import { integer, list, namedObject, object, string, type ValueOf } from '../../http/representation/json-schema.ts'

const fieldError = object({
  pointer: string({
    description: 'Which value: a JSON pointer into the body, or `query/name`, or `path/name`.',
    examples: ['/name'],
  }),
  detail: string({ description: 'What the value must be.', examples: ['is required'] }),
})

export const problemFields = {
  type: string({ examples: ['about:blank'] }),
  title: string({ description: 'The kind of refusal in a few words.', examples: ['The request is not valid'] }),
  status: integer(400, 599, { description: 'The HTTP status.', examples: [422] }),
  detail: string({ description: 'What is wrong, and what to do.', examples: ['/name is required'] }),
}

/** RFC 9457. */
export const problem = namedObject('Problem', problemFields, {
  errors: list(fieldError, { description: 'Each wrong value, where values are wrong.' }),
})

export type FieldError = ValueOf<typeof fieldError>
export type ProblemDetails = ValueOf<typeof problem>
