import { child, document, element, optional, record, sequence, type Value } from '../http/representation/shape.ts'

const payment = record({ paymentId: element('text'), paymentDateTime: element('utcDateTime') })

const method = record({
  id: element('integer'),
  type: element('text'),
  limits: child(record({ minDeposit: element('text'), maxDeposit: element('text') })),
  card: child(
    record({
      number: element('text'),
      issueDate: optional(element('text')),
      expiryDate: element('text'),
      country: element('text'),
      scheme: element('text'),
    }),
  ),
})

export const paymentDocument = document('whoWallets', payment)
export const methodsDocument = document(
  'whoWallets',
  record({ paymentMethods: child(sequence('method', method, 'plain')) }),
)

export type PaymentResult = Value<typeof payment>
export type Method = Value<typeof method>

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export function paymentDateTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
}
