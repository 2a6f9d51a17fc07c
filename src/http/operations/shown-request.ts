// A request of an application as operators may see it, among its last ones. It is made when somebody looks or when it is stored: a
// request that neither happens to costs only the fields that are kept of it (platform/observability/request-rings.ts).
//
// Until then its path, form and answer are in memory as they came: for a second, in a busy sandbox for ten. Those of operations with
// a secret (cv2, password, ticket) are not: what may be shown of them is made at once. They are few, and each of them takes
// milliseconds anyway, for a gateway or for hashing. A card number that was sent to another operation, by mistake, stays for that time.

import type { FaultKind } from '../../faults.ts'
import { withoutLongNumbers } from '../../platform/masking/long-numbers.ts'
import type { RawRequest, Shows } from '../../platform/observability/request-rings.ts'
import type { Representation } from '../answers/negotiate.ts'
import type { Writer } from '../representation/compile.ts'
import type { Operation } from './operation.ts'
import { shownAnswerOf, shownFault } from './shown-answer.ts'
import { shownFormOf, shownTargetOf } from './shown-target.ts'

/** Bytes; many times as much as is shown. */
const KEPT_OF_FORM = 2_000

type Writers = Readonly<Record<Representation, Writer>> | null

/** `keepsBodies`: in the sandbox only. */
export function showsOf(operation: Operation, writers: Writers, keepsBodies: boolean): Shows {
  const shownTarget = shownTargetOf(operation)
  const shownForm = shownFormOf(operation)
  const { document } = operation.answer
  const shownAnswer = document === null || writers === null ? null : shownAnswerOf(document, writers)
  const answerOf = ({ value, kind, faultName, representation }: RawRequest): string => {
    const to = { representation: representation as Representation, path: operation.path }
    if (kind !== '') return shownFault(kind as FaultKind, withoutLongNumbers(faultName), to)
    return value === undefined || shownAnswer === null ? '' : shownAnswer(value, to.representation)
  }
  return {
    keepsBodies,
    atOnce: Object.values(operation.parameters).some(({ secret }) => secret),
    show(raw) {
      const { shows: _shows, url, form, value: _value, bytes: _bytes, ...same } = raw
      return {
        ...same,
        target: shownTarget(url),
        faultName: withoutLongNumbers(same.faultName),
        body: typeof form === 'number' ? `(picture, ${form} bytes)` : shownForm(form, form.length > KEPT_OF_FORM),
        answer: keepsBodies ? answerOf(raw) : '',
      }
    },
  }
}

/** One character more than is shown marks a form that was longer. */
export function keptForm(body: Buffer): string {
  return body.toString('latin1', 0, KEPT_OF_FORM + 1)
}
