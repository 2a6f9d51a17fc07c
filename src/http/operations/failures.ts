// Turns errors into faults of the contract, in the caller's representation and the area's shape.

import { Fault } from '../../faults.ts'
import { Unavailable } from '../../platform/runtime/unavailable.ts'
import { negotiate, type Representation } from '../answers/negotiate.ts'
import { CONTENT_TYPE } from '../answers/raw-response.ts'
import type { Written } from '../representation/compile.ts'
import { jsonWriter } from '../representation/json.ts'
import { child, document, element, optional, record, sequence, type Value } from '../representation/shape.ts'
import { xmlWriter } from '../representation/xml.ts'
import type { BrokenRequest, ProtocolRefusal } from '../requests/broken-requests.ts'
import { type Area, areaOf } from './operation.ts'

const faultShape = record({
  faultCode: element('text'),
  faultString: element('text'),
  faultName: optional(element('text')),
  solution: optional(element('text')),
})
/** Profiles, wallets and sessions: an array of faults in JSON. */
export const faultList = document('whoFaults', sequence('fault', faultShape, 'plain'))
/** Communities: an object with one fault in JSON. The XML of both is the same. */
export const faultObject = document('whoFaults', record({ fault: child(faultShape) }))

export function faultDocument(area: Area) {
  return area === 'communities' ? faultObject : faultList
}

const writeXml = xmlWriter(faultList)
const writeJsonList = jsonWriter(faultList)
const writeJsonObject = jsonWriter(faultObject)

/** An error that is not a fault is a failure of the service: 503 or 500. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  if (error instanceof Unavailable) return new Fault('unavailable', undefined, { cause: error, retryAfter: 2 })
  return new Fault('unexpected', undefined, { cause: error })
}

export function faultBody(fault: Fault, representation: Representation, area: Area): Written {
  const value: Value<typeof faultShape> = {
    faultCode: fault.code,
    faultString: fault.message,
    faultName: fault.faultName,
    solution: fault.solution,
  }
  if (representation === 'xml') return writeXml.measured([value] as never)
  return area === 'communities'
    ? writeJsonObject.measured({ fault: value } as never)
    : writeJsonList.measured([value] as never)
}

/** For what could not be parsed as a request. */
export function brokenRequestRefusal({ reason, accept, target }: BrokenRequest): ProtocolRefusal {
  const fault = new Fault(reason)
  const representation = negotiate(accept) ?? 'xml'
  const { text } = faultBody(fault, representation, areaOf(target))
  return { status: fault.status, contentType: CONTENT_TYPE[representation], body: text, fault: fault.code }
}
