import { integer, list, namedObject, object, string, type ValueOf } from '../../http/representation/json-schema.ts'

const fieldError = object({
  pointer: string('/name', 'Which value: a JSON pointer into the body, or `query/name`, or `path/name`.'),
  detail: string('is required', 'What the value must be.'),
})

export const problemFields = {
  type: string('about:blank'),
  title: string('The request is not valid', 'The kind of refusal in a few words.'),
  status: integer(400, 599, 422, 'The HTTP status.'),
  detail: string('/name is required', 'What is wrong, and what to do.'),
}

/** RFC 9457. */
export const problem = namedObject('Problem', problemFields, {
  errors: list(fieldError, 'Each wrong value, where values are wrong.'),
})

export type FieldError = ValueOf<typeof fieldError>
export type ProblemDetails = ValueOf<typeof problem>
